// Steps along a path that is known in closed form.
#pragma once

#include "solver/numerics/state.hpp"

namespace topple::solver {

/// As an integrator: no error, dense at no cost. `Flow`: State<N> at(double time_s) from the start of the step on.
template <int N, class Flow>
class FlowStep {
  public:
    explicit FlowStep(const Flow& flow) noexcept : flow_(flow) {}

    template <class Acceleration>
    double attempt(Acceleration& f, const StepEnd<N>& from, double step_s, StepEnd<N>& end) noexcept {
        from_s_ = from.time_s;
        step_s_ = step_s;
        end.time_s = from.time_s + step_s;
        end.state = flow_.at(end.time_s);
        end.acceleration = f(end.time_s, end.state);
        return 0.0;
    }
    template <class Acceleration>
    void prepare_dense(Acceleration&) const noexcept {}
    template <class Acceleration>
    State<N> interpolate(Acceleration&, double sigma) const noexcept {
        return flow_.at(from_s_ + sigma * step_s_);
    }

  private:
    Flow flow_;
    double from_s_ = 0.0, step_s_ = 0.0;
};

}  // namespace topple::solver
