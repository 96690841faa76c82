// A body in three dimensions: its convex hull and mass, and its section in the shaking plane.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/foot.hpp"

namespace topple::solver {

using SpacePoint = std::array<double, 3>;  ///< [x, y, z], m; right-handed: x shaking direction, y away, z up

/// Convex hull and mass properties, in body axes through the mass centre, as the body stands at yaw 0.
struct Solid {
    std::vector<SpacePoint> corners_m;                ///< of the hull
    std::vector<std::array<std::size_t, 2>> edges{};  ///< of the hull, as pairs of corners
    double mass_kg = 0.0;
    /// About the mass centre: {Ixx, Iyy, Izz, Ixy, Ixz, Iyz}, Ixy = sum m x y (products of inertia with this sign).
    std::array<double, 6> inertia_kg_m2{};
};

/// Profile of the hull's section by the shaking plane through the mass centre, the body turned by yaw_rad about the
/// vertical (counter-clockwise seen from above), points in no order; and inertia about the axis across that plane.
/// Empty if the plane misses the hull.
std::vector<ProfilePoint> section_of(const Solid& solid, double yaw_rad);
double inertia_across(const Solid& solid, double yaw_rad) noexcept;

/// The section as the foot on which the body stands; throws as standing_foot().
StandingFoot foot_of(const Solid& solid, double yaw_rad);

}  // namespace topple::solver
