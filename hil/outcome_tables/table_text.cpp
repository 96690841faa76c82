#include "hil/outcome_tables/table_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/text/number_text.hpp"
#include "hil/vendor_files/text_table.hpp"

namespace topple::hil::outcome_tables {
namespace {

using files::InputError;

std::string trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
}

/// The separator that the header has outside of quotes; a table of one column has none.
char separator_in(std::string_view line) {
    for (const char candidate : {'\t', ';', ','}) {
        bool quoted = false;
        for (const char c : line) {
            if (c == '"') quoted = !quoted;
            if (c == candidate && !quoted) return candidate;
        }
    }
    return ',';
}

/// Goes through a text line by line, or cell by cell where quotes hold line ends.
class Cells {
  public:
    Cells(const std::string& text, const std::string& file) : text_(text), file_(file) {}

    bool at_end() const noexcept { return at_ >= text_.size(); }
    std::string_view line_ahead() const {
        return std::string_view(text_).substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_);
    }
    void skip_line() {
        at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
        ++line_;
    }

    TableLine row(char separator) {
        TableLine row{line_, {}};
        bool more = true;
        while (more) {
            row.cells.push_back(cell(separator));
            more = !at_end() && text_[at_] == separator;
            if (!at_end() && text_[at_] == '\n') ++line_;
            if (!at_end()) ++at_;
            if (row.cells.size() > kTableColumnsMax)
                throw InputError(fmt::format("{}, line {}: more than {} columns", file_, row.line, kTableColumnsMax));
        }
        return row;
    }

  private:
    std::string cell(char separator) {
        while (!at_end() && (text_[at_] == ' ' || (text_[at_] == '\t' && separator != '\t'))) ++at_;
        if (!at_end() && text_[at_] == '"') return quoted(separator);
        const std::size_t begin = at_;
        while (!at_end() && text_[at_] != separator && text_[at_] != '\n') ++at_;
        return trimmed(std::string_view(text_).substr(begin, at_ - begin));
    }

    std::string quoted(char separator) {
        const std::size_t first_line = line_;
        std::string cell;
        for (++at_;; ++at_) {
            if (at_end())
                throw InputError(fmt::format("{}, line {}: a quotation mark that is not closed", file_, first_line));
            if (text_[at_] == '\n') ++line_;
            if (text_[at_] != '"') {
                cell += text_[at_];
            } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
                cell += '"';
                ++at_;
            } else {
                break;
            }
        }
        for (++at_; !at_end() && text_[at_] != separator && text_[at_] != '\n'; ++at_) cell += text_[at_];
        return trimmed(cell);
    }

    const std::string& text_;
    const std::string& file_;
    std::size_t at_ = 0, line_ = 1;
};

}  // namespace

TableText parse_table_text(std::string text, const std::string& file) {
    TableText table;
    table.file = file;
    table.text = std::move(text);
    Cells cells(table.text, table.file);
    bool has_header = false;
    while (!cells.at_end()) {
        const std::string line = trimmed(cells.line_ahead());
        if (line.empty() || line.starts_with('#') || (!has_header && line.starts_with("sep="))) {
            cells.skip_line();
            continue;
        }
        if (!has_header) table.separator = separator_in(cells.line_ahead());
        TableLine row = cells.row(table.separator);
        const bool is_blank = std::all_of(row.cells.begin(), row.cells.end(), [](const auto& c) { return c.empty(); });
        if (is_blank) continue;
        if (!has_header)
            table.header = std::move(row);
        else
            table.rows.push_back(std::move(row));
        has_header = true;
        if (table.rows.size() > kRowsMax) throw InputError(fmt::format("{}: more than {} rows", table.file, kRowsMax));
    }
    while (!table.header.cells.empty() && table.header.cells.back().empty()) table.header.cells.pop_back();
    if (!has_header) throw InputError(file + ": no table: it is empty");
    if (table.rows.empty()) throw InputError(fmt::format("{}: a header and no row below it", file));
    return table;
}

TableText read_table_text(const std::filesystem::path& file) {
    const std::string bytes = files::read_text_file(file, kTableBytesMax);
    if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("\xD0\xCF\x11\xE0"))
        throw InputError(file.string() + ": a spreadsheet: export its sheet as CSV");
    return parse_table_text(vendor_files::text_of(bytes, file.string()), file.string());
}

DecimalSign decimal_sign_of(std::string_view cell) noexcept {
    if (std::count(cell.begin(), cell.end(), ',') == 1 && text::parse_number(with_point(cell, DecimalSign::comma)))
        return DecimalSign::comma;
    if (cell.find('.') != std::string_view::npos && text::parse_number(cell)) return DecimalSign::point;
    return DecimalSign::unknown;
}

std::string with_point(std::string_view cell, DecimalSign sign) {
    std::string text(cell);
    if (sign != DecimalSign::comma || cell.find('.') != std::string_view::npos) return text;
    std::replace(text.begin(), text.end(), ',', '.');
    return text::parse_number(text) ? text : std::string(cell);
}

}  // namespace topple::hil::outcome_tables
