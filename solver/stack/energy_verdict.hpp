// What energy alone says about the future of blocks whose base keeps its velocity.
#pragma once

#include <algorithm>
#include <cmath>

#include "solver/stack/equations.hpp"

namespace topple::solver {

/// One block on a base at constant velocity. `ratio[0]`: rotation-rate ratio of an impact that leaves the
/// left pivot, `ratio[1]` of one that leaves the right pivot. Follows the impacts until the energy is below
/// both barriers. Derived in docs/physics.md#after-the-excitation.
inline EnergyVerdict single_block_verdict(const BlockGeometry& block, int support, double phi_rad, double psi_rad_s,
                                          const Drive& drive, const std::array<double, 2>& ratio) noexcept {
    if (support == 0) return EnergyVerdict::stable;
    const double lean = std::atan2(drive.horizontal_m_s2, drive.vertical_m_s2);
    const double gravity = std::hypot(drive.horizontal_m_s2, drive.vertical_m_s2);
    std::array<double, 2> alpha{}, p2{};
    for (int side = 0; side < 2; ++side) {
        const Vec2 c = block.centre_m[side == 0 ? 0 : 2];
        alpha[side] = std::atan2(std::abs(c.x), c.z) + (side == 0 ? -lean : lean);
        p2[side] = block.mass_kg * gravity * std::sqrt(dot(c, c)) / (block.inertia_kg_m2 + block.mass_kg * dot(c, c));
    }
    int side = support > 0 ? 1 : 0;
    const auto falls = [](int at) { return at == 0 ? EnergyVerdict::falls_left : EnergyVerdict::falls_right; };
    const double angle = std::abs(phi_rad), outward = support * psi_rad_s;
    const double energy = 0.5 * outward * outward / p2[side] + std::cos(alpha[side] - angle);
    if (angle >= alpha[side] && (energy < 1.0 || outward >= 0.0)) return falls(side);
    if (outward > 0.0 && energy >= 1.0) return falls(side);
    // From here on the block comes down; `rate2` is the squared rate with which it reaches the base.
    double rate2 = 2.0 * p2[side] * (energy - std::cos(alpha[side]));
    for (int impact = 0; impact < 1000; ++impact) {
        const auto barrier = [&](int at) { return alpha[at] > 0.0 ? 2.0 * p2[at] * (1.0 - std::cos(alpha[at])) : 0.0; };
        rate2 *= ratio[side] * ratio[side];
        side = 1 - side;
        if (rate2 <= 0.0) return EnergyVerdict::stable;
        if (rate2 >= barrier(side)) return falls(side);
        if (rate2 * ratio[side] * ratio[side] < barrier(1 - side) && ratio[0] * ratio[1] <= 1.0)
            return EnergyVerdict::stable;
    }
    return EnergyVerdict::undecided;
}

/// A stack: stable if its energy cannot lift any upper part over its corner and the weight closes every open
/// interface (docs/physics.md#stacks). Never says that it falls.
template <int N>
EnergyVerdict stack_verdict(const StackGeometry<N>& stack, const SupportTable<N>& table, const State<N>& motion,
                            const Drive& drive) noexcept {
    const int n = stack.size();
    const double lean = std::abs(std::atan2(drive.horizontal_m_s2, drive.vertical_m_s2));
    const double gravity = std::hypot(drive.horizontal_m_s2, drive.vertical_m_s2);
    double mass = 0.0, height_moment = 0.0, lowest_barrier = -1.0;
    for (int i = n - 1; i >= 0; --i) {
        const BlockGeometry& block = stack.block[i];
        height_moment += mass * block.height_m + block.mass_kg * block.centre_m[1].z;
        mass += block.mass_kg;
        const double z = height_moment / mass, x = std::min(-block.corner_left_m, block.corner_right_m);
        const double alpha = std::atan2(x, z) - lean;
        if (alpha <= 0.0) return EnergyVerdict::undecided;
        const double barrier = mass * gravity * std::hypot(x, z) * (1.0 - std::cos(alpha));
        if (lowest_barrier < 0.0 || barrier < lowest_barrier) lowest_barrier = barrier;
    }
    const double energy = kinetic_energy_j(table, motion, n) + potential_energy_j(table, motion, drive, n);
    if (energy >= 0.25 * lowest_barrier) return EnergyVerdict::undecided;
    Attitude<N> still = attitude(motion, n);
    still.rate_rad_s = {};
    Row<N> weight = bias(table, still, drive, n);
    sum_from_above<N>(weight, n);
    for (int i = 0; i < n; ++i)
        if (table.s[i] * weight[i] < 0.0) return EnergyVerdict::undecided;
    return EnergyVerdict::stable;
}

}  // namespace topple::solver
