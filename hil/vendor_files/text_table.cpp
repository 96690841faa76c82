#include "hil/vendor_files/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "hil/files/errors.hpp"
#include "hil/files/utf8.hpp"

namespace topple::hil::vendor_files {
namespace {

constexpr std::size_t kRunLeast = 3;       // lines of numbers that make a table
constexpr std::size_t kPrefaceMax = 2000;  // lines before it

std::string from_utf16(std::string_view bytes, bool big_endian, const std::string& file) {
    const auto fail = [&] { throw files::InputError(file + ": its mark says UTF-16, but it is not"); };
    if (bytes.size() % 2 != 0) fail();
    const auto unit = [&](std::size_t i) {
        const auto first = static_cast<unsigned char>(bytes[i]), second = static_cast<unsigned char>(bytes[i + 1]);
        return static_cast<char32_t>(big_endian ? first << 8 | second : second << 8 | first);
    };
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
        char32_t code = unit(i);
        if (code >= 0xDC00 && code < 0xE000) fail();
        if (code >= 0xD800 && code < 0xDC00) {
            i += 2;
            if (i >= bytes.size() || unit(i) < 0xDC00 || unit(i) >= 0xE000) fail();
            code = 0x10000 + ((code - 0xD800) << 10) + (unit(i) - 0xDC00);
        }
        files::append_utf8(text, code);
    }
    return text;
}

std::string_view trimmed(std::string_view cell) {
    constexpr std::string_view kBlank = " \t\r";
    const std::size_t first = cell.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    cell = cell.substr(first, cell.find_last_not_of(kBlank) - first + 1);
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    return cell;
}

/// How the numbers of a table are written.
struct Style {
    char separator = '\t', decimal = '.';
};

/// Which cells of a line are numbers, up to the last that is.
std::vector<bool> numbers_of(const std::vector<std::string_view>& cells, const Style& style) {
    std::vector<bool> numbers;
    for (const std::string_view cell : cells) numbers.push_back(number_in(cell, style.decimal).has_value());
    while (!numbers.empty() && !numbers.back()) numbers.pop_back();
    return numbers;
}

enum class Cells { numbers_only, some_text };

/// Line at which a run of like lines begins in this style; `lines.size()` if there is none.
std::size_t first_run(const std::vector<std::string_view>& lines, const Style& style, Cells allowed) {
    std::size_t run = 0;
    std::vector<bool> like;
    for (std::size_t i = 0; i < lines.size() && i < kPrefaceMax + kRunLeast; ++i) {
        const std::vector<std::string_view> cells = cells_of(lines[i], style.separator);
        const std::vector<bool> numbers = numbers_of(cells, style);
        const auto count = std::count(numbers.begin(), numbers.end(), true);
        const bool fits = count > 0 && (allowed == Cells::some_text || count == std::ssize(cells));
        run = !fits ? 0 : run > 0 && numbers == like ? run + 1 : 1;
        like = numbers;
        if (run == kRunLeast) return i + 1 - kRunLeast;
    }
    return lines.size();
}

struct FoundTable {
    Style style;
    std::size_t start = 0;
    std::vector<bool> numbers;  ///< per column, up to the last of numbers
    Cells allowed = Cells::numbers_only;
};

/// The style in which the table has most columns of numbers; of equal ones the first. Columns of text are allowed only
/// if nothing is found without.
std::optional<FoundTable> find_table(const std::vector<std::string_view>& lines) {
    constexpr Style kStyles[] = {{'\t', '.'}, {';', '.'}, {',', '.'}, {' ', '.'}, {'\t', ','}, {';', ','}, {' ', ','}};
    for (const Cells allowed : {Cells::numbers_only, Cells::some_text}) {
        std::optional<FoundTable> best;
        std::ptrdiff_t most = 0;
        for (const Style& style : kStyles) {
            const std::size_t start = first_run(lines, style, allowed);
            if (start == lines.size()) continue;
            std::vector<bool> numbers = numbers_of(cells_of(lines[start], style.separator), style);
            const auto count = std::count(numbers.begin(), numbers.end(), true);
            if (count > most) most = count, best = FoundTable{style, start, std::move(numbers), allowed};
        }
        if (best) return best;
    }
    return std::nullopt;
}

/// Columns of text are left out, by their names.
void drop_text(RawTable& table, const std::vector<bool>& numbers) {
    std::string left_out;
    for (std::size_t k = numbers.size(); k-- > 0;) {
        if (numbers[k]) continue;
        left_out = "\"" + table.names[k] + "\"" + (left_out.empty() ? "" : ", ") + left_out;
        table.names.erase(table.names.begin() + static_cast<std::ptrdiff_t>(k));
        table.units.erase(table.units.begin() + static_cast<std::ptrdiff_t>(k));
        table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(k));
    }
    if (!left_out.empty()) table.notes.push_back("columns that are not numbers were left out: " + left_out);
}

void read_headings(RawTable& table, const std::vector<std::string_view>& lines, const FoundTable& found) {
    const std::size_t start = found.start, width = found.numbers.size();
    const Style& style = found.style;
    std::size_t heading = start;
    while (heading > 0 && trimmed(lines[heading - 1]).empty()) --heading;
    const auto names = [&](const std::vector<std::string_view>& cells) {
        return cells.size() == width || (found.allowed == Cells::some_text && cells.size() > width);
    };
    const std::string_view line = heading > 0 ? lines[heading - 1] : std::string_view();
    std::vector<std::string_view> cells = cells_of(line, style.separator);
    if (!names(cells)) cells = cells_of(line, '\t');  // of numbers that blanks separate
    const bool is_heading = names(cells);
    for (std::size_t i = 0; i < width; ++i) {
        std::string name = std::to_string(i + 1), unit;
        if (is_heading && !cells[i].empty()) split_unit(cells[i], name, unit);
        table.names.push_back(std::move(name));
        table.units.push_back(std::move(unit));
    }
}

}  // namespace

std::string text_of(std::string_view bytes, const std::string& file) {
    std::string text;
    if (bytes.starts_with("\xFF\xFE"))
        text = from_utf16(bytes.substr(2), false, file);
    else if (bytes.starts_with("\xFE\xFF"))
        text = from_utf16(bytes.substr(2), true, file);
    else
        text = bytes.substr(bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    if (text.find('\0') != std::string::npos)
        throw files::InputError(file + ": is neither text nor a MATLAB file: it has zero bytes");
    return text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        while (line.ends_with('\r') || line.ends_with('\x1A')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
    std::vector<std::string_view> cells;
    if (separator == ' ') {
        while (true) {
            const std::size_t first = line.find_first_not_of(" \t");
            if (first == std::string_view::npos) return cells;
            const std::size_t end = std::min(line.find_first_of(" \t", first), line.size());
            cells.push_back(trimmed(line.substr(first, end - first)));
            line.remove_prefix(end);
        }
    }
    while (true) {
        const std::size_t end = line.find(separator);
        cells.push_back(trimmed(line.substr(0, end)));
        if (end == std::string_view::npos) break;
        line.remove_prefix(end + 1);
    }
    while (!cells.empty() && cells.back().empty()) cells.pop_back();  // separators at the end of a line
    return cells;
}

std::optional<double> number_in(std::string_view cell, char decimal) {
    constexpr std::size_t kLongest = 64;
    if (cell.empty() || cell.size() > kLongest) return std::nullopt;
    char digits[kLongest];
    std::size_t count = 0;
    for (const char letter : cell) {
        if (letter == decimal)
            digits[count++] = '.';
        else if (letter == '.')
            return std::nullopt;  // a point where a comma is the decimal sign
        else
            digits[count++] = letter;
    }
    const char* first = digits + (digits[0] == '+' && count > 1 ? 1 : 0);
    double value = 0.0;
    const auto [end, error] = std::from_chars(first, digits + count, value);
    if (error != std::errc() || end != digits + count || !std::isfinite(value)) return std::nullopt;
    return value;
}

void split_unit(std::string_view heading, std::string& name, std::string& unit) {
    for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
        const std::size_t at = heading.rfind(open);
        if (at == std::string_view::npos || at == 0 || heading.back() != close) continue;
        unit = trimmed(heading.substr(at + 1, heading.size() - at - 2));
        name = trimmed(heading.substr(0, at));
        return;
    }
    name = heading;
}

RawTable read_text_table(const std::string& text, const std::string& file) {
    const std::vector<std::string_view> lines = lines_of(text);
    const auto found = find_table(lines);
    if (!found)
        throw files::InputError(
            fmt::format("{}: no table: {} lines in a row with the same number of numbers are "
                        "wanted within the first {} lines",
                        file, kRunLeast, kPrefaceMax));
    const auto& [style, start, numbers, allowed] = *found;
    const std::size_t width = numbers.size();
    if (width > kColumnsMax) throw files::InputError(fmt::format("{}: more than {} columns", file, kColumnsMax));
    RawTable table{file, "text table", {}, {}, std::vector<std::vector<double>>(width), {}, {}};
    read_headings(table, lines, *found);
    for (std::size_t i = start; i < lines.size(); ++i) {
        const auto cells = cells_of(lines[i], style.separator);
        if (cells.empty()) continue;
        if (allowed == Cells::numbers_only ? cells.size() != width : cells.size() < width)
            throw files::InputError(
                fmt::format("{}:{}: {} cells, the table has {} columns", file, i + 1, cells.size(), width));
        for (std::size_t k = 0; k < width; ++k) {
            if (!numbers[k]) continue;
            const auto value = number_in(cells[k], style.decimal);
            if (!value)
                throw files::InputError(fmt::format("{}:{}: column {}: \"{}\" is not a finite number", file, i + 1,
                                                    k + 1, cells[k].substr(0, 40)));
            table.columns[k].push_back(*value);
        }
    }
    drop_text(table, numbers);
    if (style.decimal == ',') table.notes.emplace_back("a comma is taken for the decimal sign");
    return table;
}

}  // namespace topple::hil::vendor_files
