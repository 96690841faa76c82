// From the specimen as described to the state that the engine advances.
#pragma once

#include <algorithm>
#include <cmath>

#include "solver/specimen.hpp"
#include "solver/stack/stack_state.hpp"

namespace topple::solver {

inline BlockGeometry block_geometry(const Block& block) noexcept {
    const double b = block.width_m, h = block.height_m;
    BlockGeometry geometry{block.mass_kg, block.mass_kg * (b * b + h * h) / 12.0, h, -0.5 * b, 0.5 * b, {}};
    geometry.centre_m = {Vec2{0.5 * b, 0.5 * h}, Vec2{0.0, 0.5 * h}, Vec2{-0.5 * b, 0.5 * h}};
    return geometry;
}

/// Each side keeps its own pivot; the corners of the face follow from the mean height of the mass centre, so
/// that the body leaves rest at g tan(alpha) of each side even if the two heights given differ by rounding.
inline BlockGeometry body_geometry(double mass_kg, const Pivots& pivots) noexcept {
    const Vec2 left{pivots.radius_left_m * std::sin(pivots.alpha_left_rad),
                    pivots.radius_left_m * std::cos(pivots.alpha_left_rad)};
    const Vec2 right{-pivots.radius_right_m * std::sin(pivots.alpha_right_rad),
                     pivots.radius_right_m * std::cos(pivots.alpha_right_rad)};
    const double height = 0.5 * (left.z + right.z);
    BlockGeometry geometry{mass_kg, pivots.inertia_kg_m2, 2.0 * height, 0.0, 0.0, {left, {0.0, height}, right}};
    geometry.corner_left_m = -height * std::tan(pivots.alpha_left_rad);
    geometry.corner_right_m = height * std::tan(pivots.alpha_right_rad);
    return geometry;
}

/// Of a foot: as it stands.
inline BlockGeometry geometry_of(const Specimen& specimen, std::size_t block) noexcept {
    const auto pivots = pivots_of(specimen);
    return pivots ? body_geometry(specimen.blocks[block].mass_kg, *pivots) : block_geometry(specimen.blocks[block]);
}

/// Mean ratio of restitution model `random`: as given, or Housner's from the geometry (smaller of the two sides).
inline double mean_random_ratio(const Specimen& specimen) noexcept {
    if (specimen.restitution.random_mean) return *specimen.restitution.random_mean;
    const BlockGeometry block = geometry_of(specimen, 0);
    const Vec2 left = block.centre_m[0], right = block.centre_m[2];
    const double carried = block.inertia_kg_m2 + block.mass_kg * dot(left, right);
    return carried / (block.inertia_kg_m2 + block.mass_kg * std::max(dot(left, left), dot(right, right)));
}

/// Whole specimen in full contact or released from its initial rotations; a foot as the block of its standing face. N
/// >= number of blocks; validated before.
template <int N>
StackState<N> make_stack_state(const Specimen& specimen, double gravity_m_s2) noexcept {
    StackState<N> state;
    const int n = static_cast<int>(specimen.blocks.size());
    state.standing = state.stack.count = n;
    double height = 0.0;
    for (int i = 0; i < n; ++i) {
        state.stack.block[i] = geometry_of(specimen, static_cast<std::size_t>(i));
        height += state.stack.block[i].height_m;
    }
    state.impact_stack = state.stack;
    const Restitution& restitution = specimen.restitution;
    if (restitution.model == RestitutionModel::improved && n == 1)
        for (Vec2& centre : state.impact_stack.block[0].centre_m) centre.x *= restitution.impulse_position_k;
    state.law.fixed = restitution.model == RestitutionModel::fixed;
    state.law.fixed_ratio = {restitution.fixed_left_to_right, restitution.fixed_right_to_left};
    const std::size_t face = specimen.foot ? standing_face(*specimen.foot) : 0;  // of a block the only one
    if (!restitution.fixed_faces.empty()) state.law.fixed_ratio = restitution.fixed_faces[face];
    if (restitution.model == RestitutionModel::random && n == 1) {
        const double mean = mean_random_ratio(specimen);
        state.random = RandomRatio(mean, restitution.random_defect_ratio, restitution.random_seed);
        state.law.fixed = true;
        state.law.fixed_ratio = {mean, mean};
    }
    state.law.literal = restitution.rule == RestitutionRule::literal;
    const std::size_t given = restitution.material.size();
    for (int i = 0; i < n; ++i)
        state.law.material[i] =
            given == 0 ? 1.0 : restitution.material[given == 1 ? 0 : static_cast<std::size_t>(i) + face];
    if (n > 0) {
        const BlockGeometry& base = state.stack.block[0];
        const double radius = 0.5 * std::hypot(base.corner_right_m - base.corner_left_m, height);
        state.p_rad_s = std::sqrt(0.75 * gravity_m_s2 / radius);
        state.impacts_to_coarser = n < kTallStack ? 0 : kManyImpacts;
        state.rest_rate_rad_s = (n < kTallStack ? kRestRate : kRestRateTall) * state.p_rad_s;
    }
    Supports<N> supports{};
    const auto start = [](const std::vector<double>& absolute, int i) {
        return absolute.empty() || i < 0 ? 0.0 : absolute[static_cast<std::size_t>(i)];
    };
    for (int i = 0; i < n; ++i) {
        const auto relative = [&](const std::vector<double>& absolute) {
            return start(absolute, i) - start(absolute, i - 1);
        };
        state.motion.q[i] = relative(specimen.initial_rotation_rad);
        state.motion.q_rate[i] = relative(specimen.initial_rotation_rate_rad_s);
        const double side = state.motion.q[i] != 0.0 ? state.motion.q[i] : state.motion.q_rate[i];
        supports[i] = side > 0.0 ? 1 : side < 0.0 ? -1 : 0;
    }
    state.set_supports(supports);
    return state;
}

}  // namespace topple::solver
