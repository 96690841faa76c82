// Pieces of gnuplot scripts that figures of a run share.
#pragma once

#include <cstddef>
#include <string>

#include "hil/report/figures.hpp"

namespace topple::hil::report {

// The same in every figure; drawn in this order, the thinner over the wider, so that none hides another.
inline constexpr const char* kMeasured = "lw 3.4 lc rgb '#d84315'";
inline constexpr const char* kAchieved = "lw 2.6 lc rgb '#1565c0'";
inline constexpr const char* kPlanned = "lw 1.2 lc rgb '#1d2733' dt (7,4)";

/// Output and style of the figure `name`, in pixels.
std::string script_head(const std::string& name, int width, int height);
/// Every how many rows are drawn, as gnuplot's `every`.
std::string stride(const signal::EvenGrid& grid, double start_s, double end_s);
/// One curve of a `plot` command. `columns` as gnuplot's `using`.
std::string curve(const std::string& data, const std::string& every, const std::string& columns,
                  const std::string& title, const char* style);

struct TimeSpan {
    double start_s, end_s;
};
/// Of every figure of the motion and of what it starts: the motion, and the first impacts if they come soon after it.
TimeSpan start_span(const compare::Conclusion& conclusion);

/// Displacement and acceleration of each axis of a table of two; data motion_x, motion_y.
Figure axes_figure(const compare::Conclusion& conclusion);

}  // namespace topple::hil::report
