// A table of numbers in text, however the program that wrote it separates, heads and prefaces it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hil/vendor_files/raw_table.hpp"

namespace topple::hil::vendor_files {

/// UTF-8 without its mark and with single line feeds, of UTF-8 or (with a mark) UTF-16. Throws InputError for UTF-16
/// that is damaged and for a zero byte.
std::string text_of(std::string_view bytes, const std::string& file);

/// Lines without their ends, split lazily.
std::vector<std::string_view> lines_of(std::string_view text);
/// Cells between separators, without blanks and double quotes around them; ' ' means any run of blanks and tabs.
std::vector<std::string_view> cells_of(std::string_view line, char separator);
/// A finite number with the given decimal sign and nothing else in the cell.
std::optional<double> number_in(std::string_view cell, char decimal);
/// "Force (kN)", "Force [kN]": name and unit.
void split_unit(std::string_view heading, std::string& name, std::string& unit);

/// The table is the first run of at least 3 lines with the same number of cells, all numbers (or, if there is none,
/// with numbers in the same columns; those of text are then left out); the line before it names the columns if it has
/// as many cells, else they are "1", "2" ... Separators: tab, semicolon, comma, blanks. A comma is the decimal sign
/// where tab, semicolon or blanks separate and no number has a point. Nothing but empty lines may follow the table.
/// Throws InputError naming the line.
RawTable read_text_table(const std::string& text, const std::string& file);

}  // namespace topple::hil::vendor_files
