// A DOP853 step as long as its tolerance allows.
#pragma once

#include <algorithm>
#include <cmath>

#include "solver/numerics/dop853.hpp"
#include "solver/outcome.hpp"

namespace topple::solver {

template <int N>
struct AcceptedStep {
    StepEnd<N> end;
    double step_s = 0.0;                     ///< taken
    double next_s = 0.0;                     ///< to be tried next
    SolverStatus status = SolverStatus::ok;  ///< else nothing was taken: not_finite or step_too_small
};

/// Tries `step_s` and shorter until the error is within the tolerance; afterwards dop853.prepare_dense(f) may be
/// called.
template <int N, class Acceleration>
AcceptedStep<N> accepted_step(Dop853<N>& dop853, Acceleration& f, const StepEnd<N>& from, double step_s,
                              const typename Dop853<N>::Tolerance& tolerance) noexcept {
    AcceptedStep<N> step{{}, step_s, step_s, SolverStatus::ok};
    for (;;) {
        const double error = dop853.attempt(f, from, step.step_s, N, tolerance, step.end);
        if (!std::isfinite(error)) {
            step.status = SolverStatus::not_finite;
            return step;
        }
        step.next_s = step.step_s * std::clamp(error > 0.0 ? 0.9 * std::pow(error, -0.125) : 5.0, 0.2, 5.0);
        if (error <= 1.0) return step;
        step.step_s = step.next_s;
        if (from.time_s + step.step_s == from.time_s) {
            step.status = SolverStatus::step_too_small;
            return step;
        }
    }
}

}  // namespace topple::solver
