#include "solver/solid.hpp"

#include <cmath>

namespace topple::solver {

std::vector<ProfilePoint> section_of(const Solid& solid, double yaw_rad) {
    const double s = std::sin(yaw_rad), c = std::cos(yaw_rad);
    const auto along = [&](const SpacePoint& p) { return p[0] * c - p[1] * s; };
    const auto across = [&](const SpacePoint& p) { return p[0] * s + p[1] * c; };
    std::vector<ProfilePoint> points;
    for (const SpacePoint& p : solid.corners_m)
        if (across(p) == 0.0) points.push_back({along(p), p[2]});
    for (const auto& [from, to] : solid.edges) {
        const SpacePoint &a = solid.corners_m[from], &b = solid.corners_m[to];
        const double ya = across(a), yb = across(b);
        if (!(ya * yb < 0.0)) continue;
        const double share = ya / (ya - yb);
        points.push_back({along(a) + share * (along(b) - along(a)), a[2] + share * (b[2] - a[2])});
    }
    return points;
}

/// Of the turned body, about y: Ixx sin^2 + Iyy cos^2 and the product, which changes its sign with the yaw.
double inertia_across(const Solid& solid, double yaw_rad) noexcept {
    const double s = std::sin(yaw_rad), c = std::cos(yaw_rad);
    const auto& i = solid.inertia_kg_m2;
    // The axis across is (s, c, 0) in body axes.
    return s * s * i[0] + c * c * i[1] - 2.0 * s * c * i[3];
}

StandingFoot foot_of(const Solid& solid, double yaw_rad) {
    return standing_foot(section_of(solid, yaw_rad), inertia_across(solid, yaw_rad));
}

}  // namespace topple::solver
