// MATLAB's file format, level 5: numeric variables read and written by libmatio.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hil/files/output_file.hpp"
#include "hil/vendor_files/raw_table.hpp"

namespace topple::hil::vendor_files {

bool is_mat_file(std::string_view bytes) noexcept;  ///< by the text and the version at its beginning

/// Every real numeric variable becomes one column, a matrix one per column ("acc(:,2)") or, if it lies, per row; fields
/// of structures are named "out.time". Other variables are noted. Throws InputError for a damaged file, for one of
/// version 7.3, for more than 20 million numbers, or if nothing is left.
RawTable read_mat_file(const std::filesystem::path& file);

/// One column vector of doubles in a file.
struct MatVariable {
    std::string name;  ///< a MATLAB name: letters, digits and _, a letter first
    std::vector<double> values;
};
/// A compressed level 5 file. Throws InputError if it exists and must not be overwritten, OutputError.
void write_mat_file(const std::filesystem::path& file, const std::vector<MatVariable>& variables,
                    files::Overwrite overwrite);

}  // namespace topple::hil::vendor_files
