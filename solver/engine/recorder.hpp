// What a run keeps of a law's motion: history on its grid and at events, peaks with the turning points inside steps.
#pragma once

#include <algorithm>
#include <cmath>

#include "solver/engine/trace.hpp"
#include "solver/numerics/root_find.hpp"

namespace topple::solver {

inline constexpr double kJustAfter = 0.05;  ///< share of a step after which a hop from rest still goes out

template <class Law>
class Recorder {
  public:
    static constexpr int kSize = Law::kSize, kBlocks = Law::kBlocks;

    explicit Recorder(const SolverOptions& options) : trace_(options) {}

    Trace<kBlocks>& trace() noexcept { return trace_; }
    const Trace<kBlocks>& trace() const noexcept { return trace_; }

    void peak(const Law& law, const State<kSize>& state) noexcept { trace_.peak(law.rotations(state), law.standing()); }
    /// An impact, and the rotations that it turns round.
    void impact(const Law& law, const ImpactRecord<kBlocks>& record) {
        trace_.impact(record);
        for (int i = 0; i < law.standing(); ++i)
            if (record.before[i] * record.after[i] < 0.0)
                trace_.turn({record.time_s, i, law.rotations(law.state())[i]});
    }
    /// Does a rotation change its direction between the present state and `end`?
    bool turns(const Law& law, const State<kSize>& end) const noexcept {
        const Row<kBlocks> before = law.rates(law.state()), after = law.rates(end);
        for (int i = 0; i < law.standing(); ++i)
            if ((before[i] > 0.0) != (after[i] > 0.0)) return true;
        return false;
    }

    /// A step from `from_s`, of which the part up to `sigma` counts.
    struct Part {
        double from_s, step_s, sigma;
    };
    /// History samples on the grid and turning points. `inside(sigma)`: the state at a share of the step.
    template <class Inside>
    void step(const Law& law, Inside&& inside, const Part& part, const State<kSize>& end,
              const Excitation& excitation) {
        const State<kSize> stop = part.sigma == 1.0 ? end : inside(part.sigma);
        const Row<kBlocks> rate0 = law.rates(law.state()), rate1 = law.rates(stop);
        for (int block = 0; block < law.standing(); ++block) {
            if (rate0[block] * rate1[block] > 0.0) continue;
            const auto rate = [&](double at) { return law.rates(inside(at))[block]; };
            const double first = rate0[block] == 0.0 ? kJustAfter * part.sigma : 0.0, rate_first = rate(first);
            if (!(rate_first * rate1[block] < 0.0)) continue;  // an exact zero is treated alike on both sides
            const double at = find_root(rate, first, part.sigma, rate_first, rate1[block], 0.0).before;
            const State<kSize> turned = inside(at);
            peak(law, turned);
            trace_.turn({part.from_s + at * part.step_s, block, law.rotations(turned)[block]});
        }
        peak(law, stop);
        while (trace_.next_sample_s() <= part.from_s + part.sigma * part.step_s) {
            const double t = trace_.next_sample_s();
            const double at = std::clamp((t - part.from_s) / part.step_s, 0.0, part.sigma);
            sample(law, t, inside(at), excitation, true);
        }
    }
    void rest_until(const Law& law, const Excitation& excitation, double until_s) {
        while (trace_.next_sample_s() <= until_s) sample(law, trace_.next_sample_s(), law.state(), excitation, true);
    }
    void event(const Law& law, double time_s, const Excitation& excitation) {
        if (trace_.keeps_history()) sample(law, time_s, law.state(), excitation, false);
    }
    /// `grid`: the sample due next.
    void sample(const Law& law, double time_s, const State<kSize>& state, const Excitation& excitation, bool grid) {
        HistoryRecord<kBlocks> record{time_s, excitation.base_acceleration_m_s2(time_s), {}};
        if constexpr (requires { law.base_acceleration_m_s2(state); })
            record.base_acceleration_m_s2 = law.base_acceleration_m_s2(state);
        record.pose = {law.rotations(state), law.rates(state), law.supports(), 0.0};
        if constexpr (requires { law.slip_m(state); }) record.pose.slip_m = law.slip_m(state);
        trace_.sample(record, law.standing(), grid);
    }

  private:
    Trace<kBlocks> trace_;
};

}  // namespace topple::solver
