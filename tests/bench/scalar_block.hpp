// The baseline of stack_bench: one block by hand, with the engine's method and the same looks at every step.
#pragma once

#include <cmath>

#include "solver/engine/guard_risk.hpp"
#include "solver/engine/law.hpp"
#include "solver/numerics/dop853.hpp"
#include "solver/numerics/guard_path.hpp"
#include "solver/specimen.hpp"

namespace topple::bench {

/// A block from rest under one period of a0 sin(w t) until until_s, at rest or fallen. Scalar formulas
/// written out: DOP853 with the engine's tolerances and step limits; impact bracketed on the dense output,
/// then stepped to.
struct ScalarBlock {
    double alpha, p, eta, a0, w;
    long steps = 0, impacts = 0;
    double peak_rad = 0.0;

    ScalarBlock(const solver::Block& block, double amplitude_m_s2, double angular_frequency_rad_s)
        : alpha(block.slenderness_rad()),
          p(block.frequency_parameter_rad_s(solver::kStandardGravity_m_s2)),
          eta(1.0 - 1.5 * std::sin(alpha) * std::sin(alpha)),
          a0(amplitude_m_s2),
          w(angular_frequency_rad_s) {}

    void run(double until_s) {
        using namespace solver;
        const double g = kStandardGravity_m_s2, pulse_s = 2.0 * 3.141592653589793 / w;
        int s = -1;
        double next_h = 0.1 / p;
        bool shakes = true, fresh = true;
        Dop853<1> stepper;
        auto f = [&](double t, const State<1>& m) {
            const double u = shakes ? a0 * std::sin(w * t) : 0.0, x = alpha - s * m.q[0];
            return Row<1>{-p * p * (s * std::sin(x) + u / g * std::cos(x))};
        };
        StepEnd<1> now{std::asin(g * std::tan(alpha) / a0) / w, {}, {}}, end;
        now.acceleration = f(now.time_s, now.state);
        while (now.time_s < until_s) {
            double h = std::min(next_h, 0.5 / p);
            if (shakes) h = std::min({h, 0.2 * 6.283185307179586 / w, pulse_s - now.time_s});
            const double out = s * now.state.q_rate[0], down = -s * now.acceleration[0];
            if (fresh && out > 0.0 && down > 0.0) h = std::min(h, 3.0 * out / down);
            double error;
            while ((error = stepper.attempt(f, now, h, 1, {1e-12, 1e-12 * p, 1e-11}, end)) > 1.0)
                h *= std::max(0.2, 0.9 / std::pow(error, 0.125));
            next_h = h * std::min(4.0, 0.9 / std::pow(std::max(error, 1e-12), 0.125));
            fresh = false;
            ++steps;
            const double theta1 = end.state.q[0];
            const bool closes = gap_may_close(now, end, 0, s, h);
            const bool turns = (now.state.q_rate[0] > 0.0) != (end.state.q_rate[0] > 0.0);
            if (closes || turns) {
                stepper.prepare_dense(f);
                const auto inside = [&](double x) {
                    return x == 0.0 ? now.state : x == 1.0 ? end.state : stepper.interpolate(f, x);
                };
                double at = -1.0;
                if (closes) {
                    GuardValues gap;
                    for (std::size_t i = 0; i < kGuardNodeCount; ++i) gap[i] = s * inside(kGuardNode[i]).q[0];
                    at = first_fall(
                             gap, [&](double x) { return s * inside(x).q[0]; },
                             [&](double x) { return s * inside(x).q_rate[0] < 0.0; })
                             .value_or(-1.0);
                }
                if (turns) {
                    const auto rate = [&](double x) { return inside(x).q_rate[0]; };
                    const double stop = at > 0.0 ? at : 1.0, r0 = rate(0.0), r1 = rate(stop);
                    if (r0 != 0.0 && (r0 > 0.0) != (r1 > 0.0))
                        peak_rad =
                            std::max(peak_rad, std::abs(inside(find_root(rate, 0.0, stop, r0, r1, 0.0).before).q[0]));
                }
                if (at >= 0.0) {
                    stepper.attempt(f, now, at * h, 1, {1e-12, 1e-12 * p, 1e-11}, end);
                    const double shift = -end.state.q[0] / end.state.q_rate[0];
                    now.time_s += at * h + shift;
                    now.state.q[0] = 0.0;
                    now.state.q_rate[0] = eta * (end.state.q_rate[0] + shift * end.acceleration[0]);
                    s = -s;
                    ++impacts;
                    if (std::abs(now.state.q_rate[0]) < 1e-6 * p) return;
                    now.acceleration = f(now.time_s, now.state);
                    fresh = true;
                    continue;
                }
            }
            if (std::abs(theta1) >= kHalfPi) return;
            peak_rad = std::max(peak_rad, std::abs(theta1));
            now = end;
            if (shakes && now.time_s >= pulse_s * (1.0 - 1e-12)) {
                shakes = false;
                now.acceleration = f(now.time_s, now.state);
            }
        }
    }
};

}  // namespace topple::bench
