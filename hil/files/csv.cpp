#include "hil/files/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/other_format.hpp"
#include "hil/text/number_text.hpp"

namespace topple::hil::files {
namespace {

constexpr std::size_t kColumnsMax = 256;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\"";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// Separators inside quotation marks belong to the cell.
std::size_t end_of_cell(std::string_view line, std::size_t start, char separator) {
    bool is_quoted = false;
    for (std::size_t i = start; i < line.size(); ++i) {
        if (line[i] == '"') is_quoted = !is_quoted;
        if (line[i] == separator && !is_quoted) return i;
    }
    return std::string_view::npos;
}

std::vector<std::string_view> split(std::string_view line, char separator) {
    std::vector<std::string_view> cells;
    for (std::size_t start = 0;;) {
        const std::size_t end = end_of_cell(line, start, separator);
        cells.push_back(trimmed(line.substr(start, end - start)));
        if (end == std::string_view::npos) return cells;
        start = end + 1;
    }
}

char separator_of(std::string_view line) {
    for (const char candidate : {';', '\t', ','})
        if (line.find(candidate) != std::string_view::npos) return candidate;
    return ',';
}

/// "nan", as programs write a reading that they do not have.
bool is_nan_word(std::string_view cell) noexcept {
    constexpr std::string_view kNan = "nan";
    if (cell.starts_with('-') || cell.starts_with('+')) cell.remove_prefix(1);
    return std::equal(cell.begin(), cell.end(), kNan.begin(), kNan.end(),
                      [](unsigned char a, char b) { return std::tolower(a) == b; });
}

bool is_reading(std::string_view cell) noexcept { return is_nan_word(cell) || text::parse_number(cell).has_value(); }

/// Collects the rows of one file.
class CsvReader {
  public:
    CsvReader(std::string file, const CsvReading& how) : how_(how) { table_.file = std::move(file); }

    void line(std::string_view text, std::size_t number) {
        if (trimmed(text).empty() || trimmed(text).starts_with('#')) return;
        if (!is_started_ && trimmed(text).starts_with("sep=")) return;  // for Excel; the separator is seen in the rows
        if (!is_started_) separator_ = separator_of(text);
        const std::vector<std::string_view> cells = split(text, separator_);
        if (!is_started_) {
            start(cells, number);
            if (table_.has_header) return;
        }
        row(cells, number);
    }

    CsvTable take() {
        if (is_started_ && kept_.empty())
            throw InputError(fmt::format("{}: Topple can read none of its columns: {}", table_.file,
                                         table_.has_header
                                             ? fmt::format("{}", fmt::join(table_.names_in_file, ", "))
                                             : "it has no header with their names, such as time_s,rotation_rad"));
        if (table_.line_numbers.empty()) throw InputError(fmt::format("{}: no rows of numbers", table_.file));
        return std::move(table_);
    }

  private:
    void start(const std::vector<std::string_view>& cells, std::size_t number) {
        if (cells.size() > kColumnsMax)
            throw InputError(fmt::format("{}, line {}: {} columns; at most {} are allowed", table_.file, number,
                                         cells.size(), kColumnsMax));
        table_.has_header = std::none_of(cells.begin(), cells.end(), is_reading);
        cell_count_ = cells.size();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string name = table_.has_header ? std::string(cells[i]) : std::to_string(i + 1);
            table_.names_in_file.push_back(name);
            if (how_.keeps && !how_.keeps(name)) continue;
            table_.names.push_back(name);
            kept_.push_back(i);
        }
        table_.columns.resize(kept_.size());
        is_started_ = true;
    }

    void row(const std::vector<std::string_view>& cells, std::size_t number) {
        if (cells.size() != cell_count_)
            throw InputError(
                fmt::format("{}, line {}: {} columns; expected: {}", table_.file, number, cells.size(), cell_count_));
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            const std::string_view cell = cells[kept_[i]];
            std::optional<double> value = text::parse_number(cell);
            if (how_.blank_is_nan && (cell.empty() || is_nan_word(cell)))
                value = std::numeric_limits<double>::quiet_NaN();
            else if (!value)
                throw InputError(fmt::format("{}, line {}, column {}: \"{}\" is not a finite number", table_.file,
                                             number, table_.names[i], cell.substr(0, 40)));
            table_.columns[i].push_back(*value);
        }
        table_.line_numbers.push_back(number);
    }

    const CsvReading& how_;
    CsvTable table_;
    std::vector<std::size_t> kept_;  // index in the file of each column of the table
    std::size_t cell_count_ = 0;
    bool is_started_ = false;
    char separator_ = ',';
};

}  // namespace

std::optional<std::size_t> CsvTable::find(std::string_view name) const noexcept {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
}

const std::vector<double>& CsvTable::column(std::string_view name) const {
    if (const auto index = find(name)) return columns[*index];
    throw InputError(fmt::format("{}: no column \"{}\"; there are: {}", file, name, fmt::join(names_in_file, ", ")));
}

CsvTable read_csv(const std::filesystem::path& file, const CsvReading& how) {
    const std::string text = read_text_file(file, how.bytes_max);
    std::string_view rest = text;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // byte-order mark of spreadsheet exports
    try {
        CsvReader reader(file.string(), how);
        for (std::size_t number = 1; !rest.empty(); ++number) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            reader.line(rest.substr(0, end), number);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return reader.take();
    } catch (const InputError& error) {
        const std::string guess = other_format(text);
        if (guess.empty()) throw;
        throw InputError(fmt::format("{}: {}", file.string(), guess));
    }
}

void require_increasing(const CsvTable& table, std::string_view time_column) {
    const std::vector<double>& time = table.column(time_column);
    for (std::size_t i = 1; i < time.size(); ++i)
        if (!(time[i] > time[i - 1]))
            throw InputError(fmt::format("{}, line {}: {} = {} does not increase (before: {})", table.file,
                                         table.line_numbers[i], time_column, time[i], time[i - 1]));
}

}  // namespace topple::hil::files
