// The baseline of stack_bench: one block by hand, with the engine's method and the same looks at every step.
#pragma once

#include <cmath>

#include "solver/numerics/dop853.hpp"
#include "solver/specimen.hpp"
#include "solver/stack/guard.hpp"

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
        auto f = [&](double t, const Motion<1>& m) {
            const double u = shakes ? a0 * std::sin(w * t) : 0.0, x = alpha - s * m.phi_rad[0];
            return Row<1>{-p * p * (s * std::sin(x) + u / g * std::cos(x))};
        };
        StepEnd<1> now{std::asin(g * std::tan(alpha) / a0) / w, {}, {}}, end;
        now.acceleration_rad_s2 = f(now.time_s, now.motion);
        while (now.time_s < until_s) {
            double h = std::min(next_h, 0.5 / p);
            if (shakes) h = std::min({h, 0.2 * 6.283185307179586 / w, pulse_s - now.time_s});
            const double out = s * now.motion.psi_rad_s[0], down = -s * now.acceleration_rad_s2[0];
            if (fresh && out > 0.0 && down > 0.0) h = std::min(h, 3.0 * out / down);
            double error;
            while ((error = stepper.attempt(f, now, h, 1, {1e-12, 1e-12 * p, 1e-11}, end)) > 1.0)
                h *= std::max(0.2, 0.9 / std::pow(error, 0.125));
            next_h = h * std::min(4.0, 0.9 / std::pow(std::max(error, 1e-12), 0.125));
            fresh = false;
            ++steps;
            const double theta0 = now.motion.phi_rad[0], theta1 = end.motion.phi_rad[0];
            const bool closes = gap_may_close(h, s, theta0, now.motion.psi_rad_s[0], now.acceleration_rad_s2[0], theta1,
                                              end.motion.psi_rad_s[0], end.acceleration_rad_s2[0]);
            const bool turns = (now.motion.psi_rad_s[0] > 0.0) != (end.motion.psi_rad_s[0] > 0.0);
            if (closes || turns) {
                stepper.prepare_dense(f);
                const auto inside = [&](double x) {
                    return x == 0.0 ? now.motion : x == 1.0 ? end.motion : stepper.interpolate(f, x);
                };
                MotionNodes<1> nodes;
                for (std::size_t i = 0; i < kGuardNodeCount; ++i) nodes[i] = inside(kGuardNode[i]);
                const double at = closes ? first_closing<1>(nodes, inside, s, 0) : -1.0;
                if (turns) {
                    const auto rate = [&](double x) { return inside(x).psi_rad_s[0]; };
                    const double stop = at > 0.0 ? at : 1.0, r0 = rate(0.0), r1 = rate(stop);
                    if (r0 != 0.0 && (r0 > 0.0) != (r1 > 0.0))
                        peak_rad = std::max(
                            peak_rad, std::abs(inside(find_root(rate, 0.0, stop, r0, r1, 0.0).before).phi_rad[0]));
                }
                if (at >= 0.0) {
                    stepper.attempt(f, now, at * h, 1, {1e-12, 1e-12 * p, 1e-11}, end);
                    const double shift = -end.motion.phi_rad[0] / end.motion.psi_rad_s[0];
                    now.time_s += at * h + shift;
                    now.motion.phi_rad[0] = 0.0;
                    now.motion.psi_rad_s[0] = eta * (end.motion.psi_rad_s[0] + shift * end.acceleration_rad_s2[0]);
                    s = -s;
                    ++impacts;
                    if (std::abs(now.motion.psi_rad_s[0]) < 1e-6 * p) return;
                    now.acceleration_rad_s2 = f(now.time_s, now.motion);
                    fresh = true;
                    continue;
                }
            }
            if (std::abs(theta1) >= kHalfPi) return;
            peak_rad = std::max(peak_rad, std::abs(theta1));
            now = end;
            if (shakes && now.time_s >= pulse_s * (1.0 - 1e-12)) {
                shakes = false;
                now.acceleration_rad_s2 = f(now.time_s, now.motion);
            }
        }
    }
};

}  // namespace topple::bench
