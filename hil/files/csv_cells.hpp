// Cells of a comma separated line that hold text (RFC 4180).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::files {

/// One cell: in quotes where it must be.
std::string csv_cell(std::string_view cell);
/// Cells of one line without its end, quotes taken away; a line end inside quotes is not looked for.
std::vector<std::string> csv_cells(std::string_view line);

}  // namespace topple::hil::files
