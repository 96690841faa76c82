// Guards of a step: where in it a gap closes, an edge lets go, a block reaches pi/2, a rotation turns round.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/event/root_find.hpp"
#include "solver/models/opening.hpp"

namespace topple::solver {

inline constexpr int kSubSamples = 10;  ///< per step, between which a guard may change sign at most once

/// Fifth-degree polynomial through value, rate and acceleration at both ends of a step; costs no evaluation
/// and is only used to see whether a closer look is needed.
struct Quintic {
    double h, y0, v0, a0, c3, c4, c5;

    Quintic(double step, double y0_, double v0_, double a0_, double y1, double v1, double a1) noexcept
        : h(step), y0(y0_), v0(v0_), a0(a0_) {
        const double dy = y1 - y0 - h * (v0 + 0.5 * h * a0), dv = h * (v1 - v0 - h * a0),
                     da = h * h * (a1 - a0);
        c3 = 10.0 * dy - 4.0 * dv + 0.5 * da;
        c4 = -15.0 * dy + 7.0 * dv - da;
        c5 = 6.0 * dy - 3.0 * dv + 0.5 * da;
    }
    double value(double x) const noexcept {
        return y0 + x * (h * v0 + x * (0.5 * h * h * a0 + x * (c3 + x * (c4 + x * c5))));
    }
    double rate(double x) const noexcept {
        return v0 + x * (h * a0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)) / h);
    }
};

/// True unless the gap s*phi surely stays open over the step.
inline bool gap_may_close(double step_s, int support, double phi0, double psi0, double acc0, double phi1,
                          double psi1, double acc1) noexcept {
    const double g0 = support * phi0, g1 = support * phi1;
    if (std::min(g0, g1) > 0.25 * step_s * step_s * std::max(std::abs(acc0), std::abs(acc1))) return false;
    if (g1 <= 0.0) return true;
    const Quintic gap(step_s, g0, support * psi0, support * acc0, g1, support * psi1, support * acc1);
    const double margin = 1e-6 * (std::abs(g0) + std::abs(g1));
    for (int i = 1; i < kSubSamples; ++i) {
        const double x = static_cast<double>(i) / kSubSamples;
        if (gap.value(x) < margin && gap.rate(x) < 0.0) return true;
    }
    return false;
}

/// First point (0..1) of the step where the gap of interface k closes, or a negative number. `state(sigma)`
/// gives the motion inside the step. A gap that starts at zero is taken as open; it counts as closing only if
/// it also shrinks. 0: it opened and closed again before the first sub-sample, if at all.
template <class State>
double first_closing(State&& state, int support, int k) {
    const auto gap = [&](double x) { return support * state(x).phi_rad[k]; };
    double left = 0.0, gap_left = gap(0.0);
    for (int i = 1; i <= kSubSamples; ++i) {
        const double right = static_cast<double>(i) / kSubSamples;
        const auto motion = state(right);
        const double gap_right = support * motion.phi_rad[k];
        if (gap_right < 0.0 && support * motion.psi_rad_s[k] < 0.0) {
            if (gap_left <= 0.0) return left;
            return find_root(gap, left, right, gap_left, gap_right, 0.0).after;
        }
        left = right;
        gap_left = gap_right;
    }
    return -1.0;
}

/// First point (0..1) of the step where block `block` reaches pi/2, or a negative number. It may turn back
/// inside the step: where its rotation turns between two sub-samples, the turning point is looked at too.
template <class State>
double first_toppling(State&& state, int block) {
    const auto rotation = [&](double x) {
        const auto motion = state(x);
        std::array<double, 2> theta{};
        for (int i = 0; i <= block; ++i) theta[0] += motion.phi_rad[i], theta[1] += motion.psi_rad_s[i];
        return theta;
    };
    double left = 0.0;
    auto from = rotation(0.0);
    if (std::abs(from[0]) >= kHalfPi) return 0.0;
    for (int i = 1; i <= kSubSamples; ++i) {
        double right = static_cast<double>(i) / kSubSamples;
        const auto to = rotation(right);
        double peak = std::abs(to[0]);
        if (peak < kHalfPi && from[0] * from[1] > 0.0 && (from[1] > 0.0) != (to[1] > 0.0)) {
            const auto rate = [&](double x) { return rotation(x)[1]; };
            const double turn = find_root(rate, left, right, from[1], to[1], 0.0).before;
            const double turned = std::abs(rotation(turn)[0]);
            if (turned >= kHalfPi) right = turn, peak = turned;
        }
        if (peak >= kHalfPi) {
            const auto lean = [&](double x) { return std::abs(rotation(x)[0]) - kHalfPi; };
            return find_root(lean, left, right, std::abs(from[0]) - kHalfPi, peak - kHalfPi, 0.0).after;
        }
        left = right;
        from = to;
    }
    return -1.0;
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
        const double scale = std::abs(contact.edge_left_n[k]) + std::abs(contact.edge_right_n[k]);
        if (scale == 0.0) continue;
        const double left = contact.edge_left_n[k] / scale, right = contact.edge_right_n[k] / scale;
        if (std::min(left, right) < least.margin) least = {std::min(left, right), k, right < left ? -1 : 1};
    }
    return least;
}

}  // namespace topple::solver
