// Which of several columns are time and which are accelerations.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hil/ground_motion/record.hpp"
#include "hil/ground_motion/text_lines.hpp"
#include "hil/ground_motion/units.hpp"

namespace topple::hil::ground_motion {

/// Columns of one length, and what is stated beside them.
struct Columns {
    std::vector<std::string> names;  ///< "1", "2", ... where there are none
    bool has_names = false;
    std::vector<std::vector<double>> values;
    std::optional<Unit> unit;      ///< of all, stated once
    std::optional<double> step_s;  ///< stated beside them
};

/// Fills record.channels. Without names the first of several columns is time if it increases evenly. Throws
/// InputError if there is nothing that may be an acceleration, or if time and a stated step disagree.
void choose_columns(const TextLines& lines, std::size_t first_line, Columns columns, const Stated& stated,
                    Record& record);

/// "t", "time_s", "Time (ms)": is it a time, and in which unit?
std::optional<double> seconds_per_unit_of_time(std::string_view name);

}  // namespace topple::hil::ground_motion
