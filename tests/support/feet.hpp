// Feet that many tests are about: random ones, segments of a circle, their mirror images.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "solver/specimen.hpp"

namespace topple::test {

class FootDraw {
  public:
    explicit FootDraw(std::uint64_t seed) : random_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * std::generate_canonical<double, 53>(random_);
    }
    bool chance(double share) { return between(0.0, 1.0) < share; }

  private:
    std::mt19937_64 random_;
};

inline solver::Specimen with_foot(const solver::Foot& foot, double mass_kg) {
    solver::Specimen specimen;
    specimen.blocks = {{0.0, 0.0, mass_kg}};
    specimen.foot = foot;
    return specimen;
}

/// A body of about 0.1 to 1 m on a foot of so many faces, the level one anywhere among them.
inline solver::Specimen random_foot(FootDraw& draw, int faces) {
    const double height_m = draw.between(0.1, 1.0), mass_kg = draw.between(0.5, 50.0);
    const int left = static_cast<int>(draw.between(0.0, faces)), right = faces - 1 - left;
    solver::Foot foot;
    foot.inertia_kg_m2 = mass_kg * height_m * height_m * draw.between(0.1, 1.0);
    const auto add = [&](int side, int count) {
        double x = side * height_m * draw.between(0.02, 0.4), z = -height_m, slope = 0.0;
        foot.corners_m.push_back({x, z});
        for (int i = 0; i < count; ++i) {
            slope += draw.between(0.2, 1.0) * 1.2 / count;
            const double length = height_m * draw.between(0.03, 0.6) / std::sqrt(count);
            x += side * length * std::cos(slope);
            z += length * std::sin(slope);
            foot.corners_m.push_back({x, z});
        }
    };
    add(-1, left);
    std::reverse(foot.corners_m.begin(), foot.corners_m.end());
    add(1, right);
    return with_foot(foot, mass_kg);
}

/// Part of a cylinder of radius a with corners on its circle, one face at the bottom; the mass centre is `below_m`
/// under the circle's centre. `faces` is odd, over +- half_rad.
inline solver::Specimen circle_segment(double a_m, double below_m, double half_rad, int faces, double mass_kg,
                                       double inertia_kg_m2) {
    solver::Foot foot;
    foot.inertia_kg_m2 = inertia_kg_m2;
    const double step = 2.0 * half_rad / faces;
    for (int i = 0; i <= faces; ++i) {
        const double angle = step * (i - 0.5 * faces);
        foot.corners_m.push_back({a_m * std::sin(angle), below_m - a_m * std::cos(angle)});
    }
    return with_foot(foot, mass_kg);
}

inline solver::Specimen mirrored(solver::Specimen specimen) {
    auto& corners = specimen.foot->corners_m;
    std::reverse(corners.begin(), corners.end());
    for (auto& corner : corners) corner[0] = -corner[0];
    solver::Restitution& restitution = specimen.restitution;
    std::reverse(restitution.material.begin(), restitution.material.end());
    std::swap(restitution.fixed_left_to_right, restitution.fixed_right_to_left);
    std::reverse(restitution.fixed_faces.begin(), restitution.fixed_faces.end());
    for (auto& pair : restitution.fixed_faces) std::swap(pair[0], pair[1]);
    for (double& rotation : specimen.initial_rotation_rad) rotation = -rotation;
    for (double& rate : specimen.initial_rotation_rate_rad_s) rate = -rate;
    specimen.initial_tilt_rad = -specimen.initial_tilt_rad;
    return specimen;
}

}  // namespace topple::test
