// Guards of a step: where in it a gap closes, an edge lets go, a block reaches pi/2, a rotation turns round.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/numerics/guard_path.hpp"
#include "solver/stack/opening.hpp"

namespace topple::solver {

/// The motion of a step at kGuardNode.
template <int N>
using MotionNodes = std::array<Motion<N>, kGuardNodeCount>;

/// Fifth-degree polynomial through value, rate and acceleration at both ends of a step, as its coefficients in
/// Bernstein form; costs no evaluation and is only used to see whether a closer look is needed.
struct Quintic {
    std::array<double, 6> c;

    Quintic(double h, double y0, double v0, double a0, double y1, double v1, double a1) noexcept
        : c{y0,
            y0 + 0.2 * h * v0,
            y0 + h * (0.4 * v0 + 0.05 * h * a0),
            y1 - h * (0.4 * v1 - 0.05 * h * a1),
            y1 - 0.2 * h * v1,
            y1} {}

    /// How far the path may lie from the quintic, times 20: the next derivative is not larger than the last ones.
    double doubt() const noexcept {
        const double third = c[3] - 3.0 * c[2] + 3.0 * c[1] - c[0], other = c[5] - 3.0 * c[4] + 3.0 * c[3] - c[2];
        return 0.1 * (std::abs(third) + std::abs(other));
    }
};

/// True unless the gap s*phi surely stays open over the step.
inline bool gap_may_close(double step_s, int support, double phi0, double psi0, double acc0, double phi1, double psi1,
                          double acc1) noexcept {
    const double g0 = support * phi0, g1 = support * phi1, change = g1 - g0;
    const double bend = std::abs(step_s * support * psi0 - change) + std::abs(step_s * support * psi1 - change);
    const double pull = step_s * step_s * std::max(std::abs(acc0), std::abs(acc1));
    if (std::min(g0, g1) > 0.25 * pull + 0.5 * bend) return false;
    if (g1 <= 0.0) return true;
    const Quintic gap(step_s, g0, support * psi0, support * acc0, g1, support * psi1, support * acc1);
    // Where it starts is exact; the doubt grows like the third power of the share of the step.
    return *std::min_element(gap.c.begin(), gap.c.end()) < 0.0 || gap.c[2] + gap.c[3] < gap.doubt() ||
           std::min(gap.c[4], gap.c[5]) < 0.1 * gap.doubt();
}

/// First point (0..1) of the step where the gap of interface k closes, or a negative number. `nodes`: the motion at
/// kGuardNode, `state(sigma)` anywhere. A gap that starts at zero is taken as open; it counts as closing only if it
/// also shrinks. 0: it opened and closed again within rounding, if at all.
template <int N, class State>
double first_closing(const MotionNodes<N>& nodes, State&& state, int support, int k) {
    GuardValues values;
    for (std::size_t i = 0; i < kGuardNodeCount; ++i) values[i] = support * nodes[i].phi_rad[k];
    return first_fall(
               values, [&](double x) { return support * state(x).phi_rad[k]; },
               [&](double x) { return support * state(x).psi_rad_s[k] < 0.0; })
        .value_or(-1.0);
}

/// First point (0..1) of the step where block `block` reaches pi/2, or a negative number. It may turn back inside.
template <int N, class State>
double first_toppling(const MotionNodes<N>& nodes, State&& state, int block) {
    const auto rotation = [&](const Motion<N>& motion) {
        double theta = 0.0;
        for (int i = 0; i <= block; ++i) theta += motion.phi_rad[i];
        return theta;
    };
    GuardValues values;
    double furthest = 0.0;
    for (std::size_t i = 0; i < kGuardNodeCount; ++i) {
        values[i] = rotation(nodes[i]);
        if (std::abs(values[i]) > std::abs(furthest)) furthest = values[i];
    }
    const double side = furthest < 0.0 ? -1.0 : 1.0;
    for (double& value : values) value = kHalfPi - side * value;
    if (values[0] <= 0.0) return 0.0;
    return first_fall(
               values, [&](double x) { return kHalfPi - side * rotation(state(x)); }, [](double) { return true; })
        .value_or(-1.0);
}

/// Edge force of a full interface over the sum of both; negative: the edge would have to pull. `about`: pivot that
/// stays if it lets go, -1 left, +1 right.
template <int N>
double edge_share(const ContactForces<N>& contact, int k, int about) noexcept {
    const double scale = std::abs(contact.edge_left_n[k]) + std::abs(contact.edge_right_n[k]);
    if (scale == 0.0) return 1.0;
    return (about > 0 ? contact.edge_left_n[k] : contact.edge_right_n[k]) / scale;
}

/// The full interface whose edge is nearest to letting go.
struct EdgeMargin {
    double margin = 1.0;  ///< edge force / normal force; negative: it would have to pull
    int interface_index = -1;
    int opens_about = 0;  ///< pivot that stays if it lets go: -1 left, +1 right
};

template <int N>
EdgeMargin edge_margin(const ContactForces<N>& contact, const Supports<N>& supports, int n) noexcept {
    EdgeMargin least;
    for (int k = 0; k < n; ++k) {
        if (supports[k] != 0) continue;
        const double left = edge_share(contact, k, 1), right = edge_share(contact, k, -1);
        if (std::min(left, right) < least.margin) least = {std::min(left, right), k, right < left ? -1 : 1};
    }
    return least;
}

}  // namespace topple::solver
