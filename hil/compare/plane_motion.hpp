// The achieved motion of a table of two axes: along a direction, in the plane of a specimen and across it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/tracking.hpp"
#include "hil/experiment/axis_motions.hpp"

namespace topple::hil::compare {

/// One axis of a table of two.
struct AxisConclusion {
    std::string name;  ///< "x", "y"
    AchievedMotion motion;
    Tracking tracking;
};

/// Achieved and commanded motion along the direction `angle_rad` about z from +x, from those of the axes in the order
/// x, y (or of x alone): a_x cos + a_y sin. An axis that has the whole of it is returned as it is. What is known of the
/// sensors is then of axis x; the remarks are of both.
AchievedMotion motion_along(std::span<const AchievedMotion> axes, double angle_rad);

/// What a specimen felt: peaks of the achieved acceleration over the motion and 0.1 s after it.
experiment::PlanePeaks achieved_peaks(std::span<const AchievedMotion> axes, double plane_angle_rad,
                                      double motion_end_s);

}  // namespace topple::hil::compare
