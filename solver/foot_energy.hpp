// What the energy allows an impact on a face of a foot.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "solver/foot.hpp"

namespace topple::solver {

/// Rate ratios {left to right, right to left} with which an impact on this face of a valid foot keeps all of its
/// energy: (I + m R^2) omega^2 is the same about the old and the new corner. Above 1 towards the nearer corner: the
/// ratio of an inclined face may exceed 1 although energy is lost.
inline std::array<double, 2> lossless_ratios(const Foot& foot, double mass_kg, std::size_t face) noexcept {
    const auto about = [&](const ProfilePoint& corner) {
        return foot.inertia_kg_m2 + mass_kg * (corner[0] * corner[0] + corner[1] * corner[1]);
    };
    const double left_to_right = std::sqrt(about(foot.corners_m[face]) / about(foot.corners_m[face + 1]));
    return {left_to_right, 1.0 / left_to_right};
}

}  // namespace topple::solver
