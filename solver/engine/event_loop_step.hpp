// Between events: resting, stepping, looking for what happens inside a step. Included by event_loop.hpp.
#pragma once

#include "solver/engine/event_loop.hpp"

namespace topple::solver {

/// Error allowed per step: with growth like exp(p t) between impacts this keeps event times within 1e-10 s.
inline constexpr double kRelativeTolerance = 1e-11;
inline constexpr double kShortestHop_s = 1e-12;  ///< shorter ones are over at once

template <int N>
void EventLoop<N>::run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept {
    const Excitation excitation(pieces, options_.gravity_m_s2, tilt_rad_);
    acceleration_known_ = false;
    if (!(until_s > state_.time_s) || status_ != SolverStatus::ok) return;
    if (!std::isfinite(excitation.horizontal_m_s2(state_.time_s)) ||
        !std::isfinite(excitation.horizontal_m_s2(until_s)))
        return fail(SolverStatus::not_finite);
    told_ = EnergyVerdict::undecided;
    if (!started_) {
        started_ = true;
        if (trace_.next_sample_s() <= state_.time_s)
            trace_.sample(state_.time_s, excitation.base_acceleration_m_s2(state_.time_s), state_.motion,
                          state_.table.s, state_.standing, true);
    }
    if (state_.standing > 0 && !state_.all_full()) state_.decide(excitation.drive(state_.time_s));
    while (state_.time_s < until_s && status_ == SolverStatus::ok) {
        if (stop_when_decided && finished()) return;
        if (state_.standing == 0) {
            sample_rest_until(excitation, until_s);
            state_.time_s = until_s;
        } else if (state_.all_full()) {
            rest(excitation, until_s);
        } else {
            step(excitation, until_s);
        }
        if (event_count_ > options_.events_max && !(stop_when_decided && finished()))
            fail(SolverStatus::event_budget_spent);
        if (!state_.contacts_solved) fail(SolverStatus::contacts_not_solved);
    }
}

template <int N>
void EventLoop<N>::rest(const Excitation& excitation, double until_s) {
    const double tolerance = kContactTolerance * excitation.still_vertical_m_s2();
    const auto exit =
        excitation.first_exit(state_.time_s, until_s, rest_band_.low_m_s2, rest_band_.high_m_s2, tolerance);
    const double end = exit ? exit->time_s : until_s;
    sample_rest_until(excitation, end);
    watch_rest(excitation, state_.time_s, end);
    state_.time_s = end;
    if (exit) leave_rest(excitation, exit->above);
}

template <int N>
double EventLoop<N>::step_limit_s(const Excitation& excitation) const noexcept {
    double limit = std::min((N == 1 ? 0.5 : 0.2) / state_.p_rad_s, excitation.step_max_s());
    if (!fresh_) return limit;
    for (int i = 0; i < state_.table.open_count; ++i) {
        const int k = state_.table.open[i], s = state_.table.s[k];
        const double out = s * state_.motion.psi_rad_s[k], down = -s * acceleration_rad_s2_[k];
        if (state_.motion.phi_rad[k] == 0.0 && out > 0.0 && down > 0.0) limit = std::min(limit, 3.0 * out / down);
    }
    return limit;
}

template <int N>
void EventLoop<N>::step(const Excitation& excitation, double until_s) {
    if (options_.integrator == Integrator::newmark) {
        const double scale = state_.p_rad_s * state_.p_rad_s;
        advance_with(
            newmark_,
            [&](auto& f, const StepEnd<N>& from, double h, StepEnd<N>& end) {
                return newmark_.attempt(f, from, h, state_.size(), scale, end);
            },
            excitation, until_s);
    } else {
        if constexpr (N > 1)
            if (hop(excitation, until_s)) return;
        const auto tolerance = step_tolerance();
        advance_with(
            dop853_,
            [&](auto& f, const StepEnd<N>& from, double h, StepEnd<N>& end) {
                return dop853_.attempt(f, from, h, state_.size(), tolerance, end);
            },
            excitation, until_s);
    }
}

template <int N>
typename Dop853<N>::Tolerance EventLoop<N>::step_tolerance() const noexcept {
    return {0.1 * kRelativeTolerance, 0.1 * kRelativeTolerance * state_.p_rad_s, kRelativeTolerance};
}

template <int N>
bool EventLoop<N>::is_short(double step_s) const noexcept {
    return N > 1 && step_s * state_.p_rad_s < kShortStep;
}

template <int N>
double EventLoop<N>::next_closing_s() const noexcept {
    double first = std::numeric_limits<double>::infinity();
    for (int i = 0; i < state_.table.open_count; ++i) {
        const int k = state_.table.open[i], s = state_.table.s[k];
        const double gap = s * state_.motion.phi_rad[k], out = s * state_.motion.psi_rad_s[k],
                     down = -s * acceleration_rad_s2_[k], inside = out * out + 2.0 * down * gap;
        if (inside < 0.0 || (down <= 0.0 && out >= 0.0)) continue;
        const double root = std::sqrt(inside);
        // Two forms of the same root; each without cancellation on its side.
        const double at = out > 0.0 ? (out + root) / down : 2.0 * gap / (root - out);
        if (at > 0.0) first = std::min(first, at);
    }
    return first;
}

template <int N>
bool EventLoop<N>::hop(const Excitation& excitation, double until_s) {
    const bool fresh = !acceleration_known_;
    if (fresh) refresh_acceleration(excitation);
    const double remaining = until_s - state_.time_s;
    double h = std::min({1.5 * next_closing_s(), step_closer_s_, step_limit_s(excitation)});
    if (!is_short(h) || h < kShortestHop_s) return false;
    const bool last = h >= remaining * (1.0 - 1e-9);
    if (last) h = remaining;
    const StepEnd<N> from{state_.time_s, state_.motion, acceleration_rad_s2_};
    StepEnd<N> end;
    auto f = acceleration_along(excitation);
    if (!(short_step_.attempt(f, from, h, state_.size(), step_tolerance(), end) <= 1.0) ||
        !is_finite(end.motion, state_.size()))
        return false;
    if (last) end.time_s = until_s;
    take_step(
        short_step_, [](double, StepEnd<N>&) { return false; }, from, fresh, end, h, excitation);
    return true;
}

template <int N>
template <class Attempt>
bool EventLoop<N>::accepted_step(Attempt&& attempt, const Excitation& excitation, double until_s, StepEnd<N>& end,
                                 double& step_s) noexcept {
    const bool fixed_step = options_.integrator == Integrator::newmark;
    const double wanted = std::min(fixed_step ? options_.newmark_step_s : step_next_s_, step_closer_s_);
    const double remaining = until_s - state_.time_s;
    double h = std::min(wanted, step_limit_s(excitation));
    bool last = h >= remaining * (1.0 - 1e-9);
    if (last) h = remaining;
    for (bool refused = false;; refused = true) {
        const double error = attempt(h, end);
        const bool finite = is_finite(end.motion, state_.size());
        if (error <= 1.0 && finite) {
            const double most = refused ? 1.0 : 4.0;
            const double grown = h * std::min(most, 0.9 / std::pow(std::max(error, 1e-12), 0.125));
            if (!fixed_step) step_next_s_ = h < wanted && !refused ? std::max(wanted, grown) : grown;
            break;
        }
        // Also where Newton found no solution, or a number overflowed on the way: a shorter step may do.
        h *= error > 1.0 ? std::max(0.2, 0.9 / std::pow(error, 0.125)) : 0.2;
        last = false;
        if (h < 1e-14 * std::max(1.0, std::abs(state_.time_s)))
            return fail(finite && !std::isnan(error) ? SolverStatus::step_too_small : SolverStatus::not_finite), false;
    }
    step_s = h;
    if (last) end.time_s = until_s;
    return true;
}

template <int N>
bool EventLoop<N>::look_closer(Events& events, double step_s) noexcept {
    if (events.sigma != 0.0 || events.closing.size == 0) return false;
    if (step_s <= kShortestHop_s) {
        events.sigma = 1.0;  // time goes on
        return false;
    }
    step_closer_s_ = 0.1 * step_s;
    fresh_ = true;
    return true;
}

template <int N>
bool EventLoop<N>::turns(const Motion<N>& end) const noexcept {
    double rate0 = 0.0, rate1 = 0.0;
    for (int i = 0; i < state_.size(); ++i) {
        rate0 += state_.motion.psi_rad_s[i];
        rate1 += end.psi_rad_s[i];
        if ((rate0 > 0.0) != (rate1 > 0.0)) return true;
    }
    return false;
}

template <int N>
template <class Stepper, class Attempt>
void EventLoop<N>::advance_with(Stepper& stepper, Attempt&& attempt, const Excitation& excitation, double until_s) {
    auto f = acceleration_along(excitation);
    const bool fresh = !acceleration_known_;
    if (fresh) refresh_acceleration(excitation);
    const StepEnd<N> from{state_.time_s, state_.motion, acceleration_rad_s2_};
    StepEnd<N> end;
    double h = 0.0;
    const auto step_of = [&](double step_s, StepEnd<N>& to) { return attempt(f, from, step_s, to); };
    if (!accepted_step(step_of, excitation, until_s, end, h)) return;
    const auto again = [&](double step_s, StepEnd<N>& to) {
        return step_of(step_s, to) <= 1.0 && is_finite(to.motion, state_.size());
    };
    take_step(stepper, again, from, fresh, end, h, excitation);
}

template <int N>
template <class Stepper, class Again>
void EventLoop<N>::take_step(Stepper& stepper, Again&& again, const StepEnd<N>& from, bool fresh, StepEnd<N>& end,
                             double h, const Excitation& excitation) {
    auto f = acceleration_along(excitation);
    fresh_ = false;
    step_closer_s_ *= 4.0;
    const bool look = suspicious(end, h, excitation);
    if (look || trace_.next_sample_s() <= end.time_s || turns(end.motion)) {
        stepper.prepare_dense(f);
        const auto inside = [&](double sigma) {
            if (sigma == 0.0) return from.motion;
            return sigma == 1.0 ? end.motion : stepper.interpolate(f, sigma);
        };
        Events events = look ? find_events(inside, end, h, excitation) : Events{};
        if (look_closer(events, h)) return;
        record_inside(inside, end.motion, h, std::min(events.sigma, 1.0), excitation);
        if (events.sigma <= 1.0) {
            state_.motion = inside(events.sigma);
            state_.time_s = events.sigma == 1.0 ? end.time_s : from.time_s + events.sigma * h;
            const bool interior = events.sigma > 0.0 && events.sigma < 1.0;
            if (interior && again(events.sigma * h, end)) polish(end, events);
            watch_step(from, fresh, excitation);
            return reset(events, excitation);
        }
    }
    state_.motion = end.motion;
    state_.time_s = end.time_s;
    acceleration_rad_s2_ = end.acceleration_rad_s2;
    trace_.peak(state_);
    watch_step(from, fresh, excitation);
}

/// The continuous extension found the event; a step that ends there gives the state with the step's own
/// accuracy, and what is left of the gap (1e-10 of the swing) is closed by the first term of a Taylor series.
template <int N>
void EventLoop<N>::polish(const StepEnd<N>& there, const Events& events) noexcept {
    state_.motion = there.motion;
    if (events.closing.size == 0) return;
    const int k = events.closing.index[0];
    const double shift_s = -there.motion.phi_rad[k] / there.motion.psi_rad_s[k];
    if (!(std::abs(shift_s) < 1e-7 / state_.p_rad_s)) return;
    state_.time_s += shift_s;
    for (int i = 0; i < state_.size(); ++i) {
        state_.motion.phi_rad[i] += shift_s * there.motion.psi_rad_s[i];
        state_.motion.psi_rad_s[i] += shift_s * there.acceleration_rad_s2[i];
    }
}

}  // namespace topple::solver
