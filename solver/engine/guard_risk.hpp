// Cheap looks at the two ends of a step: can a coordinate reach a limit inside it? They cost no evaluation of the law.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/numerics/state.hpp"

namespace topple::solver {

/// Fifth-degree polynomial through value, rate and acceleration at both ends of a step, as its coefficients in
/// Bernstein form.
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

/// True unless coordinate k stays surely on its `side` of zero over the step.
template <int N>
bool gap_may_close(const StepEnd<N>& from, const StepEnd<N>& end, int k, int side, double step_s) noexcept {
    const double v0 = from.state.q_rate[k], a0 = from.acceleration[k], v1 = end.state.q_rate[k],
                 a1 = end.acceleration[k];
    const double g0 = side * from.state.q[k], g1 = side * end.state.q[k], change = g1 - g0;
    const double bend = std::abs(step_s * side * v0 - change) + std::abs(step_s * side * v1 - change);
    const double pull = step_s * step_s * std::max(std::abs(a0), std::abs(a1));
    if (std::min(g0, g1) > 0.25 * pull + 0.5 * bend) return false;
    if (g1 <= 0.0) return true;
    const Quintic gap(step_s, g0, side * v0, side * a0, g1, side * v1, side * a1);
    // Where it starts is exact; the doubt grows like the third power of the share of the step.
    return *std::min_element(gap.c.begin(), gap.c.end()) < 0.0 || gap.c[2] + gap.c[3] < gap.doubt() ||
           std::min(gap.c[4], gap.c[5]) < 0.1 * gap.doubt();
}

/// How far from zero the sum of the first k + 1 coordinates may come inside the step, on either side, for the first
/// `n`. Rates that bend once inside it carry them no further than this.
template <int N>
Row<N> farthest_sums(const StepEnd<N>& from, const StepEnd<N>& end, int n, double step_s) noexcept {
    Row<N> farthest{};
    double q0 = 0.0, q1 = 0.0, v0 = 0.0, v1 = 0.0, a0 = 0.0, a1 = 0.0;
    for (int k = 0; k < n; ++k) {
        q0 += from.state.q[k], q1 += end.state.q[k];
        v0 += from.state.q_rate[k], v1 += end.state.q_rate[k];
        a0 += from.acceleration[k], a1 += end.acceleration[k];
        const double rate = std::max(std::abs(v0), std::abs(v1)), pull = std::max(std::abs(a0), std::abs(a1));
        farthest[k] = std::max(std::abs(q0), std::abs(q1)) + step_s * (rate + step_s * pull);
    }
    return farthest;
}

}  // namespace topple::solver
