// The pin-and-guard engine: integrates between events, finds them, resets, rests.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "solver/engine/trace.hpp"
#include "solver/motion/excitation.hpp"
#include "solver/numerics/newmark.hpp"
#include "solver/numerics/short_step.hpp"
#include "solver/stack/contact_watch.hpp"
#include "solver/stack/energy_verdict.hpp"
#include "solver/stack/guard.hpp"
#include "solver/stack/stack_state.hpp"

namespace topple::solver {

/// Steps shorter than this over p: contact forces hardly change, and a polynomial of low degree is exact enough.
inline constexpr double kShortStep = 5e-3;

/// A stack that still moves when the time allowed is over is followed for so many times as long, to know its outcome.
inline constexpr double kLookAheadLimits = 5.0;

/// One specimen of at most N blocks advancing in time. Copyable; every copy is a future of its own.
template <int N>
class EventLoop {
  public:
    /// `friction_ratio`: what the contacts are watched against; infinite: they never slip.
    EventLoop(const StackState<N>& start, const SolverOptions& options, double tilt_rad,
              double friction_ratio = std::numeric_limits<double>::infinity());

    /// Up to `until_s` along the pieces (null: base at constant velocity). With `stop_when_decided`, back as
    /// soon as nothing more can happen: at rest, all blocks gone or, if only the outcome counts, told by
    /// energy.
    void run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept;

    /// The time allowed is over and the base keeps its velocity: what energy tells, or the status undecided.
    void conclude() noexcept;

    const StackState<N>& state() const noexcept { return state_; }
    const Trace<N>& trace() const noexcept { return trace_; }
    const ContactWatch<N>& watch() const noexcept { return watch_; }
    SolverStatus status() const noexcept { return status_; }
    double status_time_s() const noexcept { return status_time_s_; }
    bool uplifted() const noexcept { return uplifted_; }
    double settled_time_s() const noexcept { return settled_time_s_; }
    Drive drive(const BaseAcceleration& base) const noexcept;
    EnergyVerdict verdict() const noexcept;  ///< if the base keeps its velocity from now on
    /// What energy told when run() last stopped because of it, or in conclude(); undecided otherwise.
    EnergyVerdict told() const noexcept { return told_; }
    bool rests_when_coasting() const noexcept;

  private:
    /// Follows a copy for kLookAheadLimits times the time allowed: stable if its energy then shows so and no block has
    /// fallen meanwhile, else undecided. A slender tower rocks as one body for minutes, with more energy than would
    /// topple its uppermost block.
    EnergyVerdict verdict_later() const noexcept;
    /// What a step ran into.
    struct Events {
        double sigma = 2.0;  ///< where in the step, 0..1; above 1: nothing
        InterfaceSet<N> closing;
        int opening = -1, opens_about = 0;
        int toppling = -1;
    };

    void rest(const Excitation& excitation, double until_s);
    void leave_rest(const Excitation& excitation, bool above);
    void step(const Excitation& excitation, double until_s);
    double step_limit_s(const Excitation& excitation) const noexcept;
    /// A step within the error allowed; false if it failed (status set).
    template <class Attempt>
    bool accepted_step(Attempt&& attempt, const Excitation& excitation, double until_s, StepEnd<N>& end,
                       double& step_s) noexcept;
    /// Has a hop from rest begun and ended unseen inside the step? Then the next attempt is shorter.
    bool look_closer(Events& events, double step_s) noexcept;
    bool turns(const Motion<N>& end) const noexcept;  ///< does a rotation change its direction until there?
    typename Dop853<N>::Tolerance step_tolerance() const noexcept;
    bool is_short(double step_s) const noexcept;
    /// Until an open face closes if the accelerations stay as they are; infinite if none does.
    double next_closing_s() const noexcept;
    /// A short step past the next closing face; false, and nothing done, if that is too far away for one.
    bool hop(const Excitation& excitation, double until_s);
    template <class Stepper, class Attempt>
    void advance_with(Stepper& stepper, Attempt&& attempt, const Excitation& excitation, double until_s);
    /// From `from` to `end` or to the first event between. `again(step_s, to)`: the step once more, as long as to the
    /// event, for its own accuracy there; false if not to be had or not better than the inside of the whole step.
    template <class Stepper, class Again>
    void take_step(Stepper& stepper, Again&& again, const StepEnd<N>& from, bool fresh, StepEnd<N>& end, double step_s,
                   const Excitation& excitation);
    auto acceleration_along(const Excitation& excitation) const noexcept {
        return [this, &excitation](double t, const Motion<N>& motion) {
            return relative_accelerations(state_.table, motion, excitation.drive(t), state_.size());
        };
    }
    template <class State>
    Events find_events(State&& state, const StepEnd<N>& end, double step_s, const Excitation& excitation);
    template <class State>
    void find_opening(const MotionNodes<N>& nodes, State&& state, double step_s, const Excitation& excitation,
                      Events& events);
    template <class State>
    void find_toppling(const MotionNodes<N>& nodes, State&& state, Events& events);
    template <class State>
    void record_inside(State&& state, const Motion<N>& end, double step_s, double sigma, const Excitation& excitation);
    bool suspicious(const StepEnd<N>& end, double step_s, const Excitation& excitation) const noexcept;
    bool may_topple(const StepEnd<N>& end, double step_s) const noexcept;
    bool edge_suspicious(const StepEnd<N>& end, double step_s, const Excitation& excitation) const noexcept;
    void polish(const StepEnd<N>& there, const Events& events) noexcept;
    void reset(const Events& events, const Excitation& excitation);
    void impact(const InterfaceSet<N>& closing, const Excitation& excitation);
    void topple(int lowest, const Excitation& excitation);
    void watch_rest(const Excitation& excitation, double from_s, double until_s) noexcept;
    void watch_step(const StepEnd<N>& from, bool fresh, const Excitation& excitation) noexcept;
    void watch_impact(const SupportTable<N>& before, const Attitude<N>& a, const Row<N>& rates_after) noexcept;
    void came_to_rest(double remaining_s) noexcept;
    void sample_event(const Excitation& excitation);
    void sample_rest_until(const Excitation& excitation, double until_s);
    void fail(SolverStatus status) noexcept;
    bool finished() noexcept;
    void refresh_acceleration(const Excitation& excitation) noexcept;

    StackState<N> state_;
    Trace<N> trace_;
    ContactWatch<N> watch_;
    SolverOptions options_;
    double tilt_rad_;
    SolverStatus status_ = SolverStatus::ok;
    EnergyVerdict told_ = EnergyVerdict::undecided;
    double status_time_s_ = 0.0, settled_time_s_ = 0.0;
    bool uplifted_ = false, started_ = false;
    std::size_t event_count_ = 0;
    RestBand rest_band_;
    double step_next_s_;
    double step_closer_s_ = std::numeric_limits<double>::infinity();  // no longer while a short hop is looked at
    bool fresh_ = true;                                               // first step after something not smooth
    bool acceleration_known_ = false;
    Row<N> acceleration_rad_s2_{};
    Dop853<N> dop853_;
    ShortStep<N> short_step_;
    Newmark<N> newmark_;
};

}  // namespace topple::solver

#include "solver/engine/event_loop_reset.hpp"
#include "solver/engine/event_loop_search.hpp"
#include "solver/engine/event_loop_step.hpp"
#include "solver/engine/event_loop_watch.hpp"
