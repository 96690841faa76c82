#include "hil/camera/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "hil/files/errors.hpp"
#include "hil/vendor_files/text_table.hpp"

namespace topple::hil::camera {
namespace {

using files::InputError;

constexpr std::size_t kCellsMax = 4000;       // of one row
constexpr std::size_t kSeparatorLines = 50;   // that are looked at for the separator
constexpr std::size_t kQuestionLines = 1000;  // that are looked at for the decimal sign

char separator_of(const std::vector<std::string_view>& lines) {
    const std::size_t count = std::min(lines.size(), kSeparatorLines);
    for (const char candidate : {';', '\t'})
        for (std::size_t i = 0; i < count; ++i)
            if (!lines[i].starts_with('#') && lines[i].find(candidate) != std::string_view::npos) return candidate;
    return ',';
}

/// Of Motive's exports: separated by commas whatever the name of the take is.
bool is_motive(const std::vector<std::string_view>& lines) {
    return !lines.empty() && lines.front().substr(0, 15).find("Format Version") != std::string_view::npos;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

std::string name_of(char separator) { return separator == ';' ? "semicolons" : separator == '\t' ? "tabs" : "commas"; }

/// "0,0123", "-1,5e-3": digits around one comma.
bool has_comma_number(std::string_view cell) {
    const std::size_t comma = cell.find(',');
    if (comma == std::string_view::npos) return false;
    return std::all_of(cell.begin(), cell.end(), [](unsigned char c) {
        return std::isdigit(c) || c == ',' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
    });
}

bool is_missing(std::string_view cell) {
    if (cell.empty() || cell == "-") return true;
    std::string lower(cell);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower == "nan" || lower == "-nan" || lower == "+nan";
}

}  // namespace

Cells::Cells(std::string_view bytes, std::string file, std::optional<char> decimal)
    : text_(vendor_files::text_of(bytes, file)), file_(std::move(file)), decimal_(decimal) {
    const std::vector<std::string_view> lines = vendor_files::lines_of(text_);
    separator_ = is_motive(lines) ? ',' : separator_of(lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (is_blank(lines[i])) continue;
        if (lines[i].starts_with('#')) {
            if (preface_.size() < 10000) preface_.append(lines[i]).push_back('\n');
            continue;
        }
        rows_.push_back(vendor_files::cells_of(lines[i], separator_));
        line_numbers_.push_back(i + 1);
        if (rows_.back().size() > kCellsMax)
            throw InputError(fmt::format("{}: {} cells; at most {} are allowed", where(rows_.size() - 1),
                                         rows_.back().size(), kCellsMax));
    }
    if (rows_.empty()) throw InputError(file_ + ": holds no table");
}

std::string Cells::where(std::size_t row) const { return fmt::format("{}, line {}", file_, line_numbers_[row]); }

void Cells::require_clear_numbers(std::size_t header) const {
    if (separator_ == ',' && decimal_ == ',')
        throw InputError(fmt::format(
            "{}: commas separate its cells, so none can be a decimal sign (--rotation-decimal ,): export it with "
            "semicolons or tabs",
            file_));
    const std::size_t width = rows_[header].size();
    for (std::size_t i = header + 1; i < rows_.size(); ++i) {
        const std::vector<std::string_view>& cells = rows_[i];
        if (separator_ == ',' && cells.size() > width)
            throw InputError(fmt::format(
                "{}: {} cells under a heading of {}: are there decimal commas? Export with decimal points, or with "
                "semicolons and give --rotation-decimal ,",
                where(i), cells.size(), width));
        if (separator_ == ',' || decimal_ || i > header + kQuestionLines) continue;
        for (const std::string_view cell : cells)
            if (has_comma_number(cell))
                throw InputError(
                    fmt::format("{}: \"{}\" in a file separated by {}: is the comma the decimal sign? Then give "
                                "--rotation-decimal , ; if it separates thousands, export the file without",
                                where(i), cell.substr(0, 40), name_of(separator_)));
    }
}

double Cells::number(std::size_t row, std::size_t column, std::string_view name) const {
    const std::vector<std::string_view>& cells = rows_[row];
    if (column >= cells.size() || is_missing(cells[column])) return std::numeric_limits<double>::quiet_NaN();
    if (const auto value = vendor_files::number_in(cells[column], decimal_.value_or('.'))) return *value;
    throw InputError(fmt::format("{}, column {}: \"{}\" is not a finite number{}", where(row), name,
                                 cells[column].substr(0, 40),
                                 decimal_ == ',' ? " with a decimal comma (--rotation-decimal ,)" : ""));
}

bool Cells::is_number(std::string_view cell) const {
    return vendor_files::number_in(cell, '.').has_value() || vendor_files::number_in(cell, ',').has_value();
}

}  // namespace topple::hil::camera
