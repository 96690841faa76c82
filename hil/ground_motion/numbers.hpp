// Numbers as Fortran programs print them: without leading zeros, with D exponents, in columns that may touch.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "hil/ground_motion/text_lines.hpp"

namespace topple::hil::ground_motion {

/// Columns of one width, e.g. (8F10.3).
struct FixedColumns {
    std::size_t per_line = 0, width = 0;
};
/// The first format such as "8F10.5", "(5E15.7)", "10I8", "(8f9.6)" in a line.
std::optional<FixedColumns> fixed_columns(std::string_view text);

/// A number in a sentence: its value and half of its last digit.
struct PrintedNumber {
    double value = 0.0, half_digit = 0.0;
    std::string_view text;
};
/// The first number of `text`, which may follow '=', ':' and blanks, but no letter. A comma between digits without any
/// point is its decimal sign.
std::optional<PrintedNumber> leading_number(std::string_view text);
/// The number after `words` (lower case), if one follows.
std::optional<PrintedNumber> number_after(std::string_view line, std::string_view words);
/// A whole number of samples; none if it is no whole number from 1 to `most`.
std::optional<std::size_t> as_count(double value, std::size_t most = 1'000'000'000);

struct Numbers {
    std::vector<double> values;
    std::size_t next_line = 0;        ///< behind the last line that was read
    std::size_t last_line_first = 0;  ///< index of the first value of the last line
    bool by_width = false;            ///< columns touched and were cut by their width
    bool has_decimal_commas = false;
};

/// Reads lines of numbers from line `first` to the first line that does not begin with a number, or until there are
/// `most` of them. Blank lines are passed over. Throws InputError with the line for what is no finite number (also
/// "NaN", "Inf", "****"), for numbers that touch without known columns, for commas that may be decimal signs or
/// separators, and for more than 2 * kSamplesMax numbers.
Numbers read_numbers(const TextLines& lines, std::size_t first, std::optional<FixedColumns> columns = std::nullopt,
                     std::size_t most = ~std::size_t{0});

/// Is there a number at the beginning of the line?
bool begins_with_number(std::string_view line) noexcept;

}  // namespace topple::hil::ground_motion
