// How far a foot goes from the mass centre: the measure of what its inertia can be.
#pragma once

#include <algorithm>
#include <cmath>

#include "solver/foot.hpp"

namespace topple::hil::experiment {

/// m, from the mass centre to the farthest corner of the foot.
inline double reach_m(const solver::Foot& foot) noexcept {
    double reach_m = 0.0;
    for (const solver::ProfilePoint& corner : foot.corners_m)
        reach_m = std::max(reach_m, std::hypot(corner[0], corner[1]));
    return reach_m;
}

}  // namespace topple::hil::experiment
