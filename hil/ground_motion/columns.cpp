// Columns of numbers: separated by blanks, tabs, commas or semicolons, with or without time and names.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hil/ground_motion/column_choice.hpp"
#include "hil/ground_motion/formats.hpp"

namespace topple::hil::ground_motion {
namespace {

constexpr std::size_t kTextLinesMax = 60, kColumnsMax = 64;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// How cells are separated and decimals are marked.
struct Dialect {
    char separator = ' ';  ///< ' ': any number of blanks
    bool decimal_comma = false;
};

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
    std::vector<std::string_view> cells;
    line = trimmed(line);
    while (!line.empty()) {
        const std::size_t end =
            std::min(separator == ' ' ? line.find_first_of(" \t") : line.find(separator), line.size());
        std::string_view cell = trimmed(line.substr(0, end));
        while (cell.size() > 1 && cell.front() == '"' && cell.back() == '"')
            cell = trimmed(cell.substr(1, cell.size() - 2));
        cells.push_back(cell);
        line.remove_prefix(std::min(end + 1, line.size()));
        if (separator == ' ') line = trimmed(line);
    }
    return cells;
}

/// "0,02 0,15": more than one word, each with one comma between digits.
bool has_decimal_comma_words(std::string_view line) {
    const auto words = cells_of(line, ' ');
    return words.size() > 1 && std::all_of(words.begin(), words.end(), [](std::string_view word) {
               const std::size_t comma = word.find(',');
               return comma != std::string_view::npos && comma + 1 < word.size() && is_digit(word[comma + 1]) &&
                      word.find(',', comma + 1) == std::string_view::npos;
           });
}

/// Where text ends and numbers begin.
struct Block {
    std::size_t first = 0;          ///< line of the first numbers
    std::vector<std::size_t> text;  ///< lines before it that are not blank
};

bool is_comment(std::string_view line) noexcept {
    line = trimmed(line);
    return line.starts_with('#') || line.starts_with('%') || line.starts_with("//");
}

/// Numbers and separators only.
bool is_numeric(std::string_view line) {
    line = trimmed(line);
    return begins_with_number(line.starts_with('"') ? line.substr(1) : line) &&
           line.find_first_not_of("0123456789+-.,;\t eEdD\"") == std::string_view::npos;
}

Block block_of(const TextLines& lines) {
    Block block;
    for (; block.first < lines.size() && !is_numeric(lines[block.first]); ++block.first) {
        if (trimmed(lines[block.first]).empty()) continue;
        block.text.push_back(block.first);
        if (block.text.size() > kTextLinesMax)
            lines.fail(block.first, "no known format of ground motion, and no columns of numbers either");
    }
    if (block.first >= lines.size()) lines.fail("no numbers in it");
    return block;
}

Dialect dialect_of(const TextLines& lines, const Block& block) {
    constexpr std::size_t kLookedAt = 200;
    bool semicolon = false, tab = false, comma = false, point = false, words = true, before_blank = true;
    for (std::size_t i = block.first; i < std::min(lines.size(), block.first + kLookedAt); ++i) {
        const std::string_view line = trimmed(lines[i]);
        if (line.empty() || !is_numeric(line)) continue;
        semicolon = semicolon || line.find(';') != std::string_view::npos;
        tab = tab || line.find('\t') != std::string_view::npos;
        point = point || line.find('.') != std::string_view::npos;
        for (std::size_t at = line.find(','); at != std::string_view::npos; at = line.find(',', at + 1)) {
            comma = true;
            before_blank = before_blank && (at + 1 == line.size() || line[at + 1] == ' ');
        }
        words = words && has_decimal_comma_words(line);
    }
    if (semicolon) return {';', comma && !point};
    if (comma && !point && words) return {' ', true};
    if (tab) return {'\t', comma && !point};
    if (!comma) return {};
    if (point || before_blank) return {',', false};
    const std::string_view head = block.text.empty() ? std::string_view() : lines[block.text.back()];
    const std::size_t names = cells_of(head, ',').size(), cells = cells_of(lines[block.first], ',').size();
    if (names == cells && cells > 1 && head.find(';') == std::string_view::npos) return {',', false};
    lines.fail(block.first,
               fmt::format("\"{}\": its commas may be decimal signs or separators: write decimal points, or "
                           "separate the columns by semicolons, tabs or blanks",
                           trimmed(lines[block.first]).substr(0, 40)));
}

double cell_value(const TextLines& lines, std::size_t index, std::string_view cell, const Dialect& dialect) {
    std::string text(cell);
    if (dialect.decimal_comma)
        if (const std::size_t comma = text.find(','); comma != std::string::npos) text[comma] = '.';
    for (char& c : text)
        if (c == 'd' || c == 'D') c = 'e';
    const auto number = leading_number(text);
    const bool whole = number && text.find(',') == std::string::npos &&
                       number->text.size() + (text.starts_with('=') ? 1 : 0) == text.size();
    if (!whole || !std::isfinite(number->value))
        lines.fail(index, fmt::format("\"{}\" is not a finite number", cell.substr(0, 40)));
    return number->value;
}

Columns read_block(const TextLines& lines, const Block& block, const Dialect& dialect) {
    Columns columns;
    for (std::size_t i = block.first; i < lines.size(); ++i) {
        if (trimmed(lines[i]).empty() || is_comment(lines[i])) continue;
        std::vector<std::string_view> cells = cells_of(lines[i], dialect.separator);
        if (!cells.empty() && cells.back().empty()) cells.pop_back();
        if (columns.values.empty()) {
            if (cells.size() > kColumnsMax)
                lines.fail(i, fmt::format("{} columns; at most {} are read", cells.size(), kColumnsMax));
            columns.values.resize(cells.size());
        }
        if (cells.size() != columns.values.size())
            lines.fail(i, fmt::format("{} columns; expected: {}, as at line {}", cells.size(), columns.values.size(),
                                      block.first + 1));
        if (columns.values.front().size() == kSamplesMax)
            lines.fail(i, fmt::format("more than {} samples, which is the limit", kSamplesMax));
        if (cells.size() * columns.values.front().size() > kNumbersMax)
            lines.fail(i, fmt::format("more than {} numbers, which is the limit", kNumbersMax));
        for (std::size_t c = 0; c < cells.size(); ++c)
            columns.values[c].push_back(cell_value(lines, i, cells[c], dialect));
    }
    return columns;
}

/// "Time (s)   Acc (g)" without a separator of its own: units go with what stands before them.
std::vector<std::string> names_in(std::string_view line, const Dialect& dialect) {
    while (line.starts_with('#') || line.starts_with('%') || line.starts_with('/')) line.remove_prefix(1);
    std::vector<std::string> names;
    for (const std::string_view cell : cells_of(line, dialect.separator)) {
        const bool is_unit = dialect.separator == ' ' && (cell.starts_with('(') || cell.starts_with('['));
        if (is_unit && !names.empty())
            names.back().append(" ").append(cell);
        else
            names.emplace_back(cell);
    }
    return names;
}

bool is_unit_word(const std::string& word) {
    const std::string_view plain = trimmed(word);
    const std::string_view inner =
        plain.size() > 2 && (plain.front() == '(' || plain.front() == '[') ? plain.substr(1, plain.size() - 2) : plain;
    const std::string small = lower(inner);
    return small == "s" || small == "sec" || small == "ms" || unit_of(inner).has_value();
}

void set_names(const TextLines& lines, const Block& block, const Dialect& dialect, Columns& columns) {
    const std::size_t count = columns.values.size();
    for (std::size_t i = 0; i < count; ++i) columns.names.push_back(std::to_string(i + 1));
    if (block.text.empty()) return;
    std::vector<std::string> head = names_in(lines[block.text.back()], dialect);
    if (head.size() != count) return;
    if (std::all_of(head.begin(), head.end(), is_unit_word) && block.text.size() > 1) {  // names above units
        const std::vector<std::string> above = names_in(lines[block.text[block.text.size() - 2]], dialect);
        if (above.size() == count)
            for (std::size_t i = 0; i < count; ++i)
                head[i] = above[i] +
                          (head[i].starts_with('(') || head[i].starts_with('[') ? " " + head[i] : " [" + head[i] + "]");
    }
    columns.names = head;
    columns.has_names = true;
}

/// What the lines of text before the numbers state of unit and time step.
void read_preamble(const TextLines& lines, const Block& block, Columns& columns) {
    for (const std::size_t i : block.text) {
        if (columns.has_names && i == block.text.back()) continue;
        const std::string_view line = lines[i];
        if (const auto unit = unit_in(line)) columns.unit = unit;
        for (const std::string_view words : {"dt=", "dt =", "dt:", "time step", "sampling interval", "spacing of"})
            if (const auto step = number_after(line, words); step && step->value > 0.0) columns.step_s = step->value;
        for (const std::string_view words : {"sampling rate", "sample rate", "sampling frequency"})
            if (const auto rate = number_after(line, words); rate && rate->value > 0.0 && holds(line, "hz"))
                columns.step_s = 1.0 / rate->value;
    }
}

}  // namespace

Record read_columns(const TextLines& lines, const Stated& stated) {
    const Block block = block_of(lines);
    const Dialect dialect = dialect_of(lines, block);
    Columns columns = read_block(lines, block, dialect);
    set_names(lines, block, dialect, columns);
    read_preamble(lines, block, columns);
    Record record{lines.file(), "columns", {}, {}, {}, {}};
    if (dialect.decimal_comma) record.notes.push_back("commas were read as decimal signs");
    if (lines.was_utf16()) record.notes.push_back("UTF-16");
    if (block.text.size() > (columns.has_names ? 1u : 0u))
        record.notes.push_back(
            fmt::format("{} lines of text before the numbers", block.text.size() - (columns.has_names ? 1 : 0)));
    choose_columns(lines, block.first, std::move(columns), stated, record);
    return record;
}

}  // namespace topple::hil::ground_motion
