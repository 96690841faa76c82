// A log as plain CSV files, for the laboratory's own tools.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace topple::hil::exports {

/// What was written.
struct Exported {
    std::filesystem::path place;      ///< the file or folder
    std::vector<std::string> damage;  ///< RunData::damage: what is missing in it
};

/// Writes setpoint.csv, feedback.csv, prediction.csv, events.csv and timing.csv into a new folder;
/// `folder` empty: `csv` beside the log. Columns: docs/export.md. Absent and non-finite values are empty cells.
/// Throws InputError if the log cannot be read or the folder exists, OutputError if writing fails; then there is no
/// folder.
Exported export_csv(const std::filesystem::path& run, std::filesystem::path folder = {});

}  // namespace topple::hil::exports
