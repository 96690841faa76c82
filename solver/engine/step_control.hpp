// How long the next step is: by its error, by the law's limit, and shorter where a hop is looked at.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/numerics/state.hpp"
#include "solver/outcome.hpp"

namespace topple::solver {

template <int N>
struct TakenStep {
    StepEnd<N> end;
    double step_s = 0.0;
    SolverStatus status = SolverStatus::ok;  ///< else nothing was taken: not_finite or step_too_small
};

/// A step wanted, or to `until_s` if it comes nearly as far; `is_last` then, and it ends there exactly.
struct StepLength {
    double step_s;
    bool is_last;

    StepLength(double wanted_s, double remaining_s) noexcept
        : step_s(wanted_s), is_last(wanted_s >= remaining_s * (1.0 - 1e-9)) {
        if (is_last) step_s = remaining_s;
    }
};

class StepControl {
  public:
    explicit StepControl(double first_s) noexcept : first_s_(first_s), next_s_(first_s) {}

    bool fresh() const noexcept { return fresh_; }  ///< the next step is the first after something not smooth
    double closer_s() const noexcept { return closer_s_; }
    void settled() noexcept { next_s_ = first_s_; }
    void happened() noexcept {  ///< an event
        fresh_ = true;
        closer_s_ = std::numeric_limits<double>::infinity();
    }
    void taken() noexcept {
        fresh_ = false;
        closer_s_ *= 4.0;
    }
    void look_closer(double step_s) noexcept {  ///< the step just tried once more, in shorter ones
        closer_s_ = 0.1 * step_s;
        fresh_ = true;
    }

    /// A step of at most `limit_s` within the error allowed, from `now_s` and not beyond `until_s`. `attempt(step_s,
    /// end)` returns the error in units of the tolerance. `fixed_s` > 0: a method without estimate takes steps of that.
    template <int N, class Attempt>
    TakenStep<N> take(Attempt&& attempt, int n, double limit_s, double now_s, double until_s, double fixed_s) noexcept {
        const double wanted = std::min(fixed_s > 0.0 ? fixed_s : next_s_, closer_s_);
        TakenStep<N> taken;
        auto [h, is_last] = StepLength(std::min(wanted, limit_s), until_s - now_s);
        for (bool refused = false;; refused = true) {
            const double error = attempt(h, taken.end);
            const bool finite = is_finite(taken.end.state, n);
            if (error <= 1.0 && finite) {
                const double most = refused ? 1.0 : 4.0;
                const double grown = h * std::min(most, 0.9 / std::pow(std::max(error, 1e-12), 0.125));
                if (!(fixed_s > 0.0)) next_s_ = h < wanted && !refused ? std::max(wanted, grown) : grown;
                break;
            }
            // Also where Newton found no solution, or a number overflowed on the way: a shorter step may do.
            h *= error > 1.0 ? std::max(0.2, 0.9 / std::pow(error, 0.125)) : 0.2;
            is_last = false;
            if (h < 1e-14 * std::max(1.0, std::abs(now_s))) {
                taken.status = finite && !std::isnan(error) ? SolverStatus::step_too_small : SolverStatus::not_finite;
                return taken;
            }
        }
        taken.step_s = h;
        if (is_last) taken.end.time_s = until_s;
        return taken;
    }

  private:
    double first_s_, next_s_;
    double closer_s_ = std::numeric_limits<double>::infinity();
    bool fresh_ = true;
};

}  // namespace topple::solver
