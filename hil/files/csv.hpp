// Columns of numbers from a CSV file, read strictly and independently of the locale.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::files {

/// A rectangular table of finite numbers (or NaN where the reading allows it). Columns are named by the header, or "1",
/// "2", ... without one.
struct CsvTable {
    std::string file;  ///< for messages
    bool has_header = false;
    std::vector<std::string> names;            ///< of the columns that were kept
    std::vector<std::string> names_in_file;    ///< of all
    std::vector<std::vector<double>> columns;  ///< one per name, all of the same length
    std::vector<std::size_t> line_numbers;     ///< of each row, from 1

    std::optional<std::size_t> find(std::string_view name) const noexcept;
    /// The column of that name. Throws InputError listing the names there are.
    const std::vector<double>& column(std::string_view name) const;
};

/// Departures from strict reading.
struct CsvReading {
    std::size_t bytes_max = 256u * 1024 * 1024;
    bool (*keeps)(std::string_view column) = nullptr;  ///< columns that are read; null: all. The others may hold text
    bool blank_is_nan = false;                         ///< an empty cell or "nan" becomes NaN instead of an error
};

/// Reads comma, semicolon or tab separated numbers with a decimal point; '#' lines and empty lines are skipped.
/// Throws InputError naming file, line and column for anything that is not a finite number, for rows of
/// different length, no rows, no column that is kept, or more than `bytes_max`; the message says what the file seems to
/// be instead, where that can be seen.
CsvTable read_csv(const std::filesystem::path& file, const CsvReading& how = {});

/// Throws InputError naming the line where time does not increase.
void require_increasing(const CsvTable& table, std::string_view time_column);

}  // namespace topple::hil::files
