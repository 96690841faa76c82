// Units of acceleration as headers word them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace topple::hil::ground_motion {

struct Unit {
    std::string name;          ///< "g", "cm/s2", "m/s2", ...
    double factor_m_s2 = 0.0;  ///< of one unit
};

/// Exactly a unit of acceleration, whatever its case and writing: "G", "gal", "CM/SEC/SEC", "cm/s^2", "g/10".
std::optional<Unit> unit_of(std::string_view word);
/// The unit that a line of a header states: "... IN UNITS OF G", "Acceleration in g", "Units: cm/s2", "acc (m/s2)".
std::optional<Unit> unit_in(std::string_view line);
/// The unit by the ending of a column's name: _m_s2, _cm_s2, _g; or in brackets behind it.
std::optional<Unit> unit_of_name(std::string_view name);

}  // namespace topple::hil::ground_motion
