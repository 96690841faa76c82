// A table of anything in text: cells as they were typed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::outcome_tables {

inline constexpr std::size_t kTableBytesMax = std::size_t{64} << 20;
inline constexpr std::size_t kRowsMax = 100'000;
inline constexpr std::size_t kTableColumnsMax = 256;

struct TableLine {
    std::size_t line = 0;            ///< of its first character in the file, from 1
    std::vector<std::string> cells;  ///< without quotes and blanks around; not always as many as the header has
};

struct TableText {
    std::string file;  ///< for messages
    std::string text;  ///< as read
    char separator = ',';
    TableLine header;
    std::vector<TableLine> rows;
};

/// UTF-8 or, with a mark, UTF-16. The first line that is neither empty nor begins with '#' or "sep=" is the header; it
/// says whether tab, semicolon or comma separates. Cells may be quoted, hold separators and line ends then, and a quote
/// as two. Throws InputError naming file and line.
TableText read_table_text(const std::filesystem::path& file);
TableText parse_table_text(std::string text, const std::string& file);

/// How its numbers are written.
enum class DecimalSign { unknown, point, comma };
/// Of one cell: unknown unless it is a number with a decimal sign.
DecimalSign decimal_sign_of(std::string_view cell) noexcept;
/// A number of that style with a decimal point; any other text as it is.
std::string with_point(std::string_view cell, DecimalSign sign);

}  // namespace topple::hil::outcome_tables
