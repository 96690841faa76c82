// [calibration] of a machine file: when, by whom and on which table its numbers were found.
#pragma once

#include <string>

namespace topple::hil::experiment {

/// All but `method` are never empty.
struct Calibration {
    std::string date;           ///< "2026-03-01", or with the time of day behind it: "2026-03-01T14:02:11+01:00"
    std::string author;         ///< who answers for the numbers
    std::string serial_number;  ///< of the table that they belong to
    std::string method;         ///< how, and with which program; may be empty
};

inline constexpr std::size_t kCalibrationTextMax = 200;  ///< bytes of each

/// One line: "2026-03-01 by A. Author, serial number 17 (method)", made visible.
std::string describe(const Calibration& calibration);
/// The section as it stands in a machine file, with its header.
std::string calibration_toml(const Calibration& calibration);
/// Why `date` is none: what is allowed. Empty if it is one.
std::string calibration_date_defect(const std::string& date);

}  // namespace topple::hil::experiment
