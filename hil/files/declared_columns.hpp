// Columns of a laboratory's CSV that say in their names what they are and in which unit.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace topple::hil::files {

/// SI series of one imported file. Empty vectors: not in the file.
struct DeclaredColumns {
    std::vector<double> time_s;             ///< increasing
    std::vector<double> displacement_m;     ///< displacement_<u> or position_<u>; u = m, cm, mm, um
    std::vector<double> acceleration_m_s2;  ///< acceleration_<u>; u = m_s2, cm_s2, mm_s2, g (9.80665 m/s2)
    std::vector<std::vector<double>>
        rotation_rad;                        ///< rotation_<u>, or rotation_<i>_<u> from block 0; u = rad, mrad, deg
    std::vector<std::string> names_in_file;  ///< of all columns, also those that are not read
    std::string acceleration_unit;  ///< as stated: "m/s2", "g", "cm/s2", "mm/s2"; "any": not; empty: no acceleration
};

/// "FILE: no column WHAT; there are: ...".
[[noreturn]] void refuse_missing(const std::filesystem::path& file, const std::string& what,
                                 const DeclaredColumns& columns);

/// Seconds per `unit` (s, ms, us) and metres per `unit` (m, cm, mm, um). Throws InputError "WHERE: unit ... is not
/// known; allowed: ...".
double time_unit_s(const std::string& unit, const std::string& where);
double length_unit_m(const std::string& unit, const std::string& where);

/// What becomes of samples that are not there.
enum class Gaps {
    refuse,  ///< every cell of a column that is read is a number; a column that is empty from end to end is not there;
             ///< of two rows at one time (a step of acceleration) the second is kept
    allow,   ///< an empty cell or "nan" becomes NaN, and of rows with the same time or none the first with a time is
             ///< kept
};

/// Other columns are not read, whatever they hold; "position_x_m" counts as "position_m". Time is time_s, time_ms or
/// time_us; a file without a time column needs rate_hz. Throws InputError naming file, column, value and what is
/// allowed: no header, unknown unit, two columns for one quantity, time not increasing, both a time column and a rate,
/// blocks not numbered from 0 without a hole.
DeclaredColumns read_declared_columns(const std::filesystem::path& file, std::optional<double> rate_hz,
                                      Gaps gaps = Gaps::refuse);

}  // namespace topple::hil::files
