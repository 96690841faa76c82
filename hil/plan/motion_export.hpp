// A planned motion as another program's time series: even steps, its units, its columns, a mark at the start.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hil/plan/motion_plan.hpp"

namespace topple::hil::plan {

struct ExportRequest {
    double rate_hz = 0.0;                    ///< of the rows; 0: the machine's feedback rate
    std::vector<std::string> columns;        ///< of time, position, velocity, acceleration; empty: all four
    std::string length_unit = "m";           ///< m, cm, mm, in; velocities in it per second
    std::string acceleration_unit = "m/s2";  ///< m/s2, cm/s2, g (9.80665 m/s2)
    bool marker = false;                     ///< a start marker and rest before the motion
};

/// Throws InputError unless it is time, position, velocity or acceleration.
void require_column(std::string_view quantity);

struct ExportColumn {
    std::string quantity;  ///< "position", ...
    std::string unit;      ///< "mm/s", ...
    std::vector<double> values;
};

struct ExportedMotion {
    double step_s = 0.0;
    double motion_start_s = 0.0;  ///< of the motion itself: 0 without a marker
    std::vector<ExportColumn> columns;
    /// Of the acceleration of axis x: what other software makes of the positions by second differences, in m/s2,
    /// largest where the planned acceleration has no step, and largest at a step.
    double derivative_error_m_s2 = 0.0, step_error_m_s2 = 0.0;
};

/// Axis x from rest to rest, the last row at or just after the end. At a step of acceleration the row has the value
/// after it. Throws InputError: rate not above 0 or above 100 kHz, fewer than 21 or more
/// than 10 million rows, unknown column or unit, a
/// table of two axes whose other axis moves, or a marker that takes the motion beyond the machine's limits.
ExportedMotion export_motion(const experiment::Experiment& experiment, const MotionPlan& plan,
                             const ExportRequest& request);

/// Tab-separated with one heading line "time (s)\tposition (mm)...", 9 significant digits.
std::string tab_text(const ExportedMotion& motion);
/// PEER's AT2: four lines of heading, acceleration in g, five a line. Throws InputError if there is no acceleration in
/// g among the columns.
std::string at2_text(const ExportedMotion& motion, std::string_view name);
/// What was written, for the operator.
std::string export_remarks(const ExportedMotion& motion);

}  // namespace topple::hil::plan
