// What other software recorded, as it wrote it: columns of numbers with the names that it gave them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::vendor_files {

/// Columns in the file's own units; not all of the same length in a MATLAB file.
struct RawTable {
    std::string file;    ///< for messages
    std::string format;  ///< "LabVIEW measurement", "MATLAB v5", "text table"
    std::vector<std::string> names;
    std::vector<std::string> units;  ///< one per column, as the file states it; empty: it does not
    std::vector<std::vector<double>> columns;
    std::optional<double> step_s;    ///< between rows, where the file states it
    std::vector<std::string> notes;  ///< what was left out, for the operator

    /// Index of the column of that name, or of that number counted from 1. Throws InputError listing the columns.
    std::size_t find(std::string_view name) const;
    std::string list() const;  ///< names in quotes, with units and lengths
};

inline constexpr std::size_t kFileMax_bytes = std::size_t{256} << 20;
inline constexpr std::size_t kColumnsMax = 1000;

/// Reads a LabVIEW measurement file (.lvm), a MATLAB v5 file or a table of text, told apart by content. Throws
/// InputError naming file, line or variable.
RawTable read_raw_table(const std::filesystem::path& file);

}  // namespace topple::hil::vendor_files
