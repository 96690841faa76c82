// The event engine: follows one law along the base's motion, finds its events, lets it reset, and rests with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <new>

#include "solver/engine/events.hpp"
#include "solver/engine/law.hpp"
#include "solver/engine/recorder.hpp"
#include "solver/engine/step_control.hpp"
#include "solver/numerics/dop853.hpp"
#include "solver/numerics/flow_step.hpp"
#include "solver/numerics/newmark.hpp"
#include "solver/numerics/short_step.hpp"

namespace topple::solver {

/// Relative error allowed per step: with growth like exp(p t) between impacts this keeps event times within 1e-10 s.
inline constexpr double kRelativeTolerance = 1e-11;
inline constexpr double kShortestHop_s = 1e-12;  ///< shorter ones are over at once
/// What still moves when the time allowed is over may be followed for so many times as long, to know its outcome.
inline constexpr double kLookAheadLimits = 5.0;

/// One law (law.hpp) advancing in time. Copyable; every copy is a future of its own.
template <class Law>
class Engine {
  public:
    static constexpr int kSize = Law::kSize, kBlocks = Law::kBlocks;

    Engine(const Law& law, const SolverOptions& options, double tilt_rad)
        : law_(law), options_(options), tilt_rad_(tilt_rad), record_(options), steps_(0.1 / law.p_1_s()) {
        uplifted_ = law_.standing() > 0 && law_.is_open();
        record_.peak(law_, law_.state());
    }

    /// Up to `until_s` along the pieces (null: base at constant velocity). With `stop_when_decided`, back as
    /// soon as nothing more can happen: at rest, all bodies gone or, if only the outcome counts, known by energy.
    void run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept {
        const Excitation excitation(pieces, options_.gravity_m_s2, tilt_rad_);
        acceleration_known_ = false;
        if (!(until_s > time_s_) || status_ != SolverStatus::ok) return;
        if (!std::isfinite(excitation.horizontal_m_s2(time_s_)) || !std::isfinite(excitation.horizontal_m_s2(until_s)))
            return fail(SolverStatus::not_finite);
        known_ = EnergyVerdict::undecided;
        if (!started_ && record_.trace().next_sample_s() <= time_s_)
            record_.sample(law_, time_s_, law_.state(), excitation, true);
        started_ = true;
        if (law_.standing() > 0) {
            Moment now{*this, excitation};
            law_.begin(now);
            uplifted_ = uplifted_ || law_.is_open();
        }
        while (time_s_ < until_s && status_ == SolverStatus::ok) {
            if (stop_when_decided && finished()) return;
            if (law_.standing() == 0) {
                record_.rest_until(law_, excitation, until_s);
                time_s_ = until_s;
            } else if (law_.rests()) {
                rest(excitation, until_s);
            } else {
                step(excitation, until_s);
            }
            if (event_count_ > options_.events_max && !(stop_when_decided && finished()))
                fail(SolverStatus::event_budget_spent);
            if constexpr (requires { law_.status(); })
                if (law_.status() != SolverStatus::ok) fail(law_.status());
        }
    }

    /// The time allowed is over and the base keeps its velocity: what energy says, or the status undecided.
    void conclude() noexcept {
        if (status_ != SolverStatus::ok || finished()) return;
        known_ = verdict();
        if (known_ == EnergyVerdict::undecided) known_ = law_.last_verdict(drive({}));
        if constexpr (requires { law_.may_be_followed(); })
            if (known_ == EnergyVerdict::undecided && law_.may_be_followed()) known_ = verdict_later();
        if (known_ == EnergyVerdict::undecided) fail(SolverStatus::undecided);
    }

    const Law& law() const noexcept { return law_; }
    const Trace<kBlocks>& trace() const noexcept { return record_.trace(); }
    double time_s() const noexcept { return time_s_; }
    SolverStatus status() const noexcept { return status_; }
    double status_time_s() const noexcept { return status_time_s_; }
    bool uplifted() const noexcept { return uplifted_; }
    double settled_time_s() const noexcept { return settled_time_s_; }
    Drive drive(const BaseAcceleration& base) const noexcept {
        Drive drive = Excitation({}, options_.gravity_m_s2 + base.vertical_m_s2, tilt_rad_).drive(0.0);
        drive.horizontal_m_s2 += base.horizontal_m_s2;
        return drive;
    }
    /// If the base keeps its velocity from now on.
    EnergyVerdict verdict() const noexcept {
        if (law_.standing() == 0 || rests_when_coasting()) return EnergyVerdict::stable;
        return law_.rests() ? EnergyVerdict::undecided : law_.verdict(drive({}));
    }
    /// The verdict because of which run() last stopped, or that of conclude(); undecided otherwise.
    EnergyVerdict known() const noexcept { return known_; }
    bool rests_when_coasting() const noexcept {
        if (law_.standing() == 0 || !law_.rests()) return false;
        const Drive still = drive({});
        const RestBand band = law_.rest_band(still.vertical_m_s2);
        const double tolerance = kContactTolerance * options_.gravity_m_s2;
        return still.horizontal_m_s2 <= band.high_m_s2 + tolerance &&
               still.horizontal_m_s2 >= band.low_m_s2 - tolerance;
    }

  private:
    using Happened = Events<Law::kGuards>;

    /// What a law sees of the instant of a reset, and what it says of it.
    class Moment {
      public:
        Moment(Engine& engine, const Excitation& excitation) noexcept : engine_(engine), excitation_(excitation) {}

        double time_s() const noexcept { return engine_.time_s_; }
        Drive drive() const noexcept { return excitation_.drive(engine_.time_s_); }
        double still_vertical_m_s2() const noexcept { return excitation_.still_vertical_m_s2(); }
        double gravity_m_s2() const noexcept { return engine_.options_.gravity_m_s2; }
        void impact(const ImpactRecord<kBlocks>& record) { engine_.record_.impact(engine_.law_, record); }
        void falls(int body, int side) noexcept { engine_.record_.trace().fall(body, side, engine_.time_s_); }
        /// All is at rest, or will be when a decaying sequence of impacts is over.
        void settles_in(double remaining_s) noexcept {
            engine_.settled_time_s_ = engine_.time_s_ + remaining_s;
            engine_.steps_.settled();
        }
        void sample() { engine_.record_.event(engine_.law_, engine_.time_s_, excitation_); }
        void fail(SolverStatus status) noexcept { engine_.fail(status); }

      private:
        Engine& engine_;
        const Excitation& excitation_;
    };

    // ---- at rest ----
    void rest(const Excitation& excitation, double until_s) {
        const double weight = excitation.still_vertical_m_s2();
        const RestBand band = law_.rest_band(weight);
        const auto exit =
            excitation.first_exit(time_s_, until_s, band.low_m_s2, band.high_m_s2, kContactTolerance * weight);
        const double end_s = exit ? exit->time_s : until_s;
        record_.rest_until(law_, excitation, end_s);
        if constexpr (requires { law_.watch_rest(excitation, time_s_, end_s); })
            law_.watch_rest(excitation, time_s_, end_s);
        time_s_ = end_s;
        if (!exit) return;
        Moment now{*this, excitation};
        law_.leave_rest(exit->above, now);
        happened();
        record_.event(law_, time_s_, excitation);
    }

    // ---- steps ----
    void step(const Excitation& excitation, double until_s) {
        if constexpr (requires { law_.flow(excitation, time_s_); })
            if (const auto flow = law_.flow(excitation, time_s_)) {
                FlowStep<kSize, std::decay_t<decltype(*flow)>> exact(*flow);
                const auto attempt = [&](auto& f, const auto& from, double h, auto& end) {
                    return exact.attempt(f, from, h, end);
                };
                return advance(exact, attempt, excitation, until_s, 0.0);
            }
        if constexpr (Law::kPlainSteppers) {
            if (options_.integrator == Integrator::newmark) {
                const double scale = law_.p_1_s() * law_.p_1_s();
                const auto attempt = [&](auto& f, const auto& from, double h, auto& end) {
                    return newmark_.attempt(f, from, h, law_.size(), scale, end);
                };
                return advance(newmark_, attempt, excitation, until_s, options_.newmark_step_s);
            }
            if constexpr (kSize > 1)
                if (hop(excitation, until_s)) return;
        }
        const auto attempt = [&](auto& f, const auto& from, double h, auto& end) {
            return dop853_.attempt(f, from, h, law_.size(), tolerance(), end);
        };
        advance(dop853_, attempt, excitation, until_s, 0.0);
    }

    StepTolerance tolerance() const noexcept {
        return {Law::kTolerance, Law::kTolerance * law_.p_1_s(), kRelativeTolerance};
    }
    auto acceleration_along(const Excitation& excitation) const noexcept {
        return [this, &excitation](double t, const State<kSize>& state) {
            return law_.acceleration(state, excitation.drive(t));
        };
    }
    /// The acceleration at the present state, and whether it had to be computed anew: something was not smooth.
    bool refresh_acceleration(const Excitation& excitation) noexcept {
        if (acceleration_known_) return false;
        acceleration_ = law_.acceleration(law_.state(), excitation.drive(time_s_));
        return acceleration_known_ = true;
    }
    double step_limit_s(const Excitation& excitation) const noexcept {
        return std::min(law_.step_limit_s(acceleration_, excitation, time_s_, steps_.fresh()), excitation.step_max_s());
    }

    /// A short step past the next closing gap; false, and nothing done, if that is too far away for one.
    bool hop(const Excitation& excitation, double until_s) {
        const bool fresh = refresh_acceleration(excitation);
        const double wanted_s =
            std::min({1.5 * law_.next_closing_s(acceleration_), steps_.closer_s(), step_limit_s(excitation)});
        if (!law_.is_short(wanted_s) || wanted_s < kShortestHop_s) return false;
        const auto [h, is_last] = StepLength(wanted_s, until_s - time_s_);
        TakenStep<kSize> taken{{}, h};
        auto f = acceleration_along(excitation);
        const StepEnd<kSize> from{time_s_, law_.state(), acceleration_};
        if (!(short_step_.attempt(f, from, h, law_.size(), tolerance(), taken.end) <= 1.0) ||
            !is_finite(taken.end.state, law_.size()))
            return false;
        if (is_last) taken.end.time_s = until_s;
        finish_step(
            short_step_, [](double, StepEnd<kSize>&) { return false; }, from, fresh, taken, excitation);
        return true;
    }

    template <class Stepper, class Attempt>
    void advance(Stepper& stepper, Attempt&& attempt, const Excitation& excitation, double until_s, double fixed_s) {
        auto f = acceleration_along(excitation);
        const bool fresh = refresh_acceleration(excitation);
        const StepEnd<kSize> from{time_s_, law_.state(), acceleration_};
        const auto step_of = [&](double h, StepEnd<kSize>& end) { return attempt(f, from, h, end); };
        TakenStep<kSize> taken =
            steps_.template take<kSize>(step_of, law_.size(), step_limit_s(excitation), time_s_, until_s, fixed_s);
        if (taken.status != SolverStatus::ok) return fail(taken.status);
        const auto again = [&](double h, StepEnd<kSize>& end) {
            return step_of(h, end) <= 1.0 && is_finite(end.state, law_.size());
        };
        finish_step(stepper, again, from, fresh, taken, excitation);
    }

    /// To the step's end or to the first event inside. `again(h, end)`: the step once more, as long as to the event,
    /// for its own accuracy there; false if not to be had or not better than the inside of the whole step.
    template <class Stepper, class Again>
    void finish_step(Stepper& stepper, Again&& again, const StepEnd<kSize>& from, bool fresh, TakenStep<kSize>& taken,
                     const Excitation& excitation) {
        StepEnd<kSize>& end = taken.end;
        const double h = taken.step_s;
        steps_.taken();
        const GuardSet risk = law_.at_risk(from, end, h, excitation);
        if (risk != 0 || record_.trace().next_sample_s() <= end.time_s || record_.turns(law_, end.state)) {
            auto f = acceleration_along(excitation);
            stepper.prepare_dense(f);
            const auto inside = [&](double sigma) {
                if (sigma == 0.0) return from.state;
                return sigma == 1.0 ? end.state : stepper.interpolate(f, sigma);
            };
            Happened events;
            if (risk != 0) events = find_events(law_, risk, inside, from.time_s, h, excitation);
            if (looks_closer(events, h)) return;
            record_.step(law_, inside, {from.time_s, h, std::min(events.sigma, 1.0)}, end.state, excitation);
            if (events.sigma <= 1.0) {
                law_.state() = inside(events.sigma);
                time_s_ = events.sigma == 1.0 ? end.time_s : from.time_s + events.sigma * h;
                const bool interior = events.sigma > 0.0 && events.sigma < 1.0;
                if (interior && again(events.sigma * h, end)) polish(end, events);
                arrive(from, fresh, excitation);
                Moment now{*this, excitation};
                law_.reset(events, now);
                return happened();
            }
        }
        law_.state() = end.state;
        time_s_ = end.time_s;
        acceleration_ = end.acceleration;
        record_.peak(law_, end.state);
        arrive(from, fresh, excitation);
    }

    /// Has a hop from zero begun and ended unseen inside the step? Then the next attempt is shorter.
    bool looks_closer(Happened& events, double step_s) noexcept {
        if (events.sigma != 0.0 || !events.any(Law::kHopGuards)) return false;
        if (step_s <= kShortestHop_s) {
            events.sigma = 1.0;  // time goes on
            return false;
        }
        steps_.look_closer(step_s);
        return true;
    }

    /// The continuous extension found the event; a step that ends there gives the state with the step's own
    /// accuracy, and what is left of the gap (1e-10 of the swing) is closed by the first term of a Taylor series.
    void polish(const StepEnd<kSize>& there, const Happened& events) noexcept {
        law_.state() = there.state;
        int k = kSize;
        double gap = 0.0;
        for (const int guard : events) {
            const int closes = law_.closing_coordinate(guard);
            if (closes < 0 || closes >= k) continue;
            k = closes;
            gap = there.state.q[k];
            if constexpr (requires { law_.closes_at(guard); }) gap -= law_.closes_at(guard);
        }
        if (k == kSize) return;
        const double shift_s = -gap / there.state.q_rate[k];
        if (!(std::abs(shift_s) < 1e-7 / law_.p_1_s())) return;
        time_s_ += shift_s;
        for (int i = 0; i < law_.size(); ++i) {
            law_.state().q[i] += shift_s * there.state.q_rate[i];
            law_.state().q_rate[i] += shift_s * there.acceleration[i];
        }
    }

    void arrive(const StepEnd<kSize>& from, bool fresh, const Excitation& excitation) noexcept {
        if constexpr (requires { law_.arrived(); }) law_.arrived();
        if constexpr (requires { law_.watch_step(from, time_s_, fresh, excitation); })
            law_.watch_step(from, time_s_, fresh, excitation);
    }
    void happened() noexcept {
        ++event_count_;
        steps_.happened();
        acceleration_known_ = false;
        uplifted_ = uplifted_ || (law_.standing() > 0 && law_.is_open());
    }

    // ---- the future ----
    bool finished() noexcept {
        if (law_.standing() == 0 || rests_when_coasting()) return true;
        // Also of impacts without end (no energy lost) energy may say how it ends.
        if (options_.outcome_only || event_count_ > options_.events_max) known_ = verdict();
        return known_ != EnergyVerdict::undecided;
    }
    /// Follows a copy for kLookAheadLimits times the time allowed: stable if its energy then shows so and no block has
    /// fallen meanwhile. A slender tower rocks as one body for minutes, with more energy than would topple its
    /// uppermost block.
    EnergyVerdict verdict_later() const noexcept {
        try {
            Engine later = *this;
            later.options_.outcome_only = true;
            later.run({}, time_s_ + kLookAheadLimits * options_.settle_limit_s, true);
            const bool is_the_same = later.status_ == SolverStatus::ok && later.law_.standing() == law_.standing();
            if (is_the_same && later.finished()) return EnergyVerdict::stable;
        } catch (const std::bad_alloc&) {  // then it is not known
        }
        return EnergyVerdict::undecided;
    }
    void fail(SolverStatus status) noexcept {
        status_ = status;
        status_time_s_ = time_s_;
    }

    Law law_;
    SolverOptions options_;
    double tilt_rad_;
    Recorder<Law> record_;
    StepControl steps_;
    double time_s_ = 0.0, status_time_s_ = 0.0, settled_time_s_ = 0.0;
    SolverStatus status_ = SolverStatus::ok;
    EnergyVerdict known_ = EnergyVerdict::undecided;
    bool uplifted_ = false, started_ = false;
    std::size_t event_count_ = 0;
    bool acceleration_known_ = false;
    Row<kSize> acceleration_{};
    Dop853<kSize> dop853_;
    ShortStep<kSize> short_step_;
    Newmark<kSize> newmark_;
};

}  // namespace topple::solver
