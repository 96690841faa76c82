// Between events: resting, stepping, looking for what happens inside a step. Included by event_loop.hpp.
#pragma once

#include "solver/event/event_loop.hpp"

namespace topple::solver {

/// Error allowed per step: with growth like exp(p t) between impacts this keeps event times within 1e-10 s.
inline constexpr double kRelativeTolerance = 1e-11;
inline constexpr double kSimultaneous_s = 1e-12;  ///< events closer than this are one event
inline constexpr double kEdgeAlert = 0.1;         ///< edge share below which a step is searched for an opening

template <int N>
void EventLoop<N>::run(const MotionPiece* piece, double until_s, bool stop_when_decided) noexcept {
    const Excitation excitation(piece, options_.gravity_m_s2, tilt_rad_);
    acceleration_known_ = false;
    if (!(until_s > state_.time_s) || status_ != SolverStatus::ok) return;
    if (!std::isfinite(excitation.horizontal_m_s2(state_.time_s)) || !std::isfinite(excitation.horizontal_m_s2(until_s)))
        return fail(SolverStatus::not_finite);
    if (!started_) {
        started_ = true;
        if (trace_.next_sample_s() <= state_.time_s)
            trace_.sample(state_.time_s, excitation.base_acceleration_m_s2(state_.time_s), state_.motion,
                          state_.table.s, state_.standing, true);
    }
    if (state_.standing > 0 && !state_.all_full()) state_.decide(excitation.drive(state_.time_s));
    while (state_.time_s < until_s && status_ == SolverStatus::ok) {
        if (stop_when_decided && finished(excitation)) return;
        if (state_.standing == 0) {
            sample_rest_until(excitation, until_s);
            state_.time_s = until_s;
        } else if (state_.all_full()) {
            rest(excitation, until_s);
        } else {
            step(excitation, until_s);
        }
        if (event_count_ > options_.events_max) fail(SolverStatus::event_budget_spent);
    }
}

template <int N>
void EventLoop<N>::rest(const Excitation& excitation, double until_s) {
    const double tolerance = kContactTolerance * excitation.vertical_m_s2();
    const auto exit = excitation.first_exit(state_.time_s, until_s, rest_band_.low_m_s2, rest_band_.high_m_s2, tolerance);
    const double end = exit ? exit->time_s : until_s;
    sample_rest_until(excitation, end);
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
        const typename Dop853<N>::Tolerance tolerance{0.1 * kRelativeTolerance,
                                                      0.1 * kRelativeTolerance * state_.p_rad_s, kRelativeTolerance};
        advance_with(
            dop853_,
            [&](auto& f, const StepEnd<N>& from, double h, StepEnd<N>& end) {
                return dop853_.attempt(f, from, h, state_.size(), tolerance, end);
            },
            excitation, until_s);
    }
}

template <int N>
template <class Stepper, class Attempt>
void EventLoop<N>::advance_with(Stepper& stepper, Attempt&& attempt, const Excitation& excitation, double until_s) {
    auto f = [&](double t, const Motion<N>& motion) {
        return relative_accelerations(state_.table, motion, excitation.drive(t), state_.size());
    };
    if (!acceleration_known_) refresh_acceleration(excitation);
    const StepEnd<N> from{state_.time_s, state_.motion, acceleration_rad_s2_};
    const bool fixed_step = options_.integrator == Integrator::newmark;
    const double wanted = fixed_step ? options_.newmark_step_s : step_next_s_;
    const double remaining = until_s - state_.time_s;
    double h = std::min(wanted, step_limit_s(excitation));
    bool last = h >= remaining * (1.0 - 1e-9);
    if (last) h = remaining;
    StepEnd<N> end;
    for (bool refused = false;; refused = true) {
        const double error = attempt(f, from, h, end);
        if (error <= 1.0) {
            const double grown = h * std::min(refused ? 1.0 : 4.0, 0.9 / std::pow(std::max(error, 1e-12), 0.125));
            if (!fixed_step) step_next_s_ = h < wanted && !refused ? std::max(wanted, grown) : grown;
            break;
        }
        if (std::isnan(error)) return fail(SolverStatus::not_finite);
        h *= std::max(0.2, 0.9 / std::pow(error, 0.125));
        last = false;
        step_next_s_ = h;
        if (h < 1e-14 * std::max(1.0, std::abs(state_.time_s))) return fail(SolverStatus::step_too_small);
    }
    fresh_ = false;
    const double end_time_s = last ? until_s : end.time_s;
    const bool look = suspicious(end, h, excitation);
    const bool samples = trace_.next_sample_s() <= end_time_s;
    bool turns = false;
    double rate0 = 0.0, rate1 = 0.0;
    for (int i = 0; i < state_.size(); ++i) {
        rate0 += state_.motion.psi_rad_s[i];
        rate1 += end.motion.psi_rad_s[i];
        turns = turns || (rate0 > 0.0) != (rate1 > 0.0);
    }
    Events events;
    if (look || samples || turns) {
        stepper.prepare_dense(f);
        const auto inside = [&](double sigma) {
            if (sigma == 0.0) return from.motion;
            return sigma == 1.0 ? end.motion : stepper.interpolate(f, sigma);
        };
        if (look) events = find_events(inside, end, h, excitation);
        record_inside(inside, end.motion, h, std::min(events.sigma, 1.0), excitation);
        if (events.sigma <= 1.0) {
            state_.motion = inside(events.sigma);
            state_.time_s = events.sigma == 1.0 ? end_time_s : from.time_s + events.sigma * h;
            if (events.sigma > 0.0 && events.sigma < 1.0 && !fixed_step && attempt(f, from, events.sigma * h, end) <= 1.0)
                polish(end, events);
            return reset(events, excitation);
        }
    }
    state_.motion = end.motion;
    state_.time_s = end_time_s;
    acceleration_rad_s2_ = end.acceleration_rad_s2;
    trace_.peak(state_);
}

/// The continuous extension found the event; a step that ends there gives the state with the step's own accuracy, and
/// what is left of the gap (1e-10 of the swing) is closed by the first term of a Taylor series.
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

/// Cheap look at the ends and at a polynomial through them: can anything happen inside?
template <int N>
bool EventLoop<N>::suspicious(const StepEnd<N>& end, double step_s, const Excitation& excitation) const noexcept {
    double theta = 0.0;
    for (int k = 0; k < state_.size(); ++k) {
        theta += end.motion.phi_rad[k];
        if (std::abs(theta) >= kHalfPi) return true;
        if (state_.table.s[k] != 0 &&
            gap_may_close(step_s, state_.table.s[k], state_.motion.phi_rad[k], state_.motion.psi_rad_s[k],
                          acceleration_rad_s2_[k], end.motion.phi_rad[k], end.motion.psi_rad_s[k],
                          end.acceleration_rad_s2[k]))
            return true;
    }
    return state_.table.open_count < state_.size() && edge_suspicious(end, step_s, excitation);
}

template <int N>
double EventLoop<N>::edge_value(const Motion<N>& motion, double time_s, const Excitation& excitation) const noexcept {
    return edge_margin<N>(contact_forces(state_.stack, state_.table, motion, excitation.drive(time_s)), state_.table.s,
                          state_.size()).margin;
}

template <int N>
bool EventLoop<N>::edge_suspicious(const StepEnd<N>& end, double step_s, const Excitation& excitation) const noexcept {
    for (const double sigma : {1.0, 0.5, 0.25, 0.75}) {
        Motion<N> motion;
        for (int k = 0; k < state_.size(); ++k) {
            if (state_.table.s[k] == 0) continue;
            const Quintic path(step_s, state_.motion.phi_rad[k], state_.motion.psi_rad_s[k], acceleration_rad_s2_[k],
                               end.motion.phi_rad[k], end.motion.psi_rad_s[k], end.acceleration_rad_s2[k]);
            motion.phi_rad[k] = path.value(sigma);
            motion.psi_rad_s[k] = path.rate(sigma);
        }
        if (edge_value(motion, state_.time_s + sigma * step_s, excitation) < kEdgeAlert) return true;
    }
    return false;
}

template <int N>
template <class State>
typename EventLoop<N>::Events EventLoop<N>::find_events(State&& state, const StepEnd<N>& end, double step_s,
                                                        const Excitation& excitation) {
    Events events;
    Row<N> closing_at{};
    for (int i = 0; i < state_.table.open_count; ++i) {
        const int k = state_.table.open[i];
        closing_at[k] = -1.0;
        if (gap_may_close(step_s, state_.table.s[k], state_.motion.phi_rad[k], state_.motion.psi_rad_s[k],
                          acceleration_rad_s2_[k], end.motion.phi_rad[k], end.motion.psi_rad_s[k],
                          end.acceleration_rad_s2[k]))
            closing_at[k] = first_closing(state, state_.table.s[k], k);
        if (closing_at[k] >= 0.0) events.sigma = std::min(events.sigma, closing_at[k]);
    }
    for (int i = 0; i < state_.table.open_count; ++i) {
        const int k = state_.table.open[i];
        if (closing_at[k] >= 0.0 && (closing_at[k] - events.sigma) * step_s <= kSimultaneous_s) events.closing.add(k);
    }
    if (state_.table.open_count < state_.size()) find_opening(state, step_s, excitation, events);
    find_toppling(state, end, events);
    return events;
}

template <int N>
template <class State>
void EventLoop<N>::find_opening(State&& state, double step_s, const Excitation& excitation, Events& events) {
    const auto margin = [&](double sigma) { return edge_value(state(sigma), state_.time_s + sigma * step_s, excitation); };
    double left = 0.0, margin_left = std::max(margin(0.0), 0.0);
    for (int i = 1; i <= kSubSamples && left < events.sigma; ++i) {
        const double right = static_cast<double>(i) / kSubSamples;
        const double margin_right = margin(right);
        if (margin_right < -kContactTolerance) {
            const double at = margin_left <= 0.0 ? left : find_root(margin, left, right, margin_left, margin_right, 0.0).after;
            if ((at - events.sigma) * step_s > kSimultaneous_s) return;
            if ((events.sigma - at) * step_s > kSimultaneous_s) events = Events{};
            events.sigma = std::min(at, events.sigma);
            const EdgeMargin edge = edge_margin<N>(
                contact_forces(state_.stack, state_.table, state(at), excitation.drive(state_.time_s + at * step_s)),
                state_.table.s, state_.size());
            events.opening = edge.interface_index;
            events.opens_about = edge.opens_about;
            return;
        }
        left = right;
        margin_left = std::max(margin_right, 0.0);
    }
}

template <int N>
template <class State>
void EventLoop<N>::find_toppling(State&& state, const StepEnd<N>& end, Events& events) {
    double theta_end = 0.0;
    for (int block = 0; block < state_.size(); ++block) {
        theta_end += end.motion.phi_rad[block];
        if (std::abs(theta_end) < kHalfPi) continue;
        const auto lean = [&](double sigma) {
            const Motion<N> motion = state(sigma);
            double theta = 0.0;
            for (int i = 0; i <= block; ++i) theta += motion.phi_rad[i];
            return std::abs(theta) - kHalfPi;
        };
        const double at = find_root(lean, 0.0, 1.0, lean(0.0), lean(1.0), 0.0).after;
        if (at > events.sigma || (at == events.sigma && events.toppling >= 0)) continue;
        if (at < events.sigma) events = Events{};
        events.sigma = at;
        events.toppling = block;
    }
}

/// History samples on the grid and turning points of the rotations, up to the event.
template <int N>
template <class State>
void EventLoop<N>::record_inside(State&& state, const Motion<N>& end, double step_s, double sigma,
                                 const Excitation& excitation) {
    const Motion<N> stop = sigma == 1.0 ? end : state(sigma);
    double rate0 = 0.0, rate1 = 0.0;
    for (int block = 0; block < state_.size(); ++block) {
        rate0 += state_.motion.psi_rad_s[block];
        rate1 += stop.psi_rad_s[block];
        if ((rate0 > 0.0) == (rate1 > 0.0) || rate0 == 0.0) continue;
        const auto rate = [&](double at) {
            const Motion<N> motion = state(at);
            double sum = 0.0;
            for (int i = 0; i <= block; ++i) sum += motion.psi_rad_s[i];
            return sum;
        };
        trace_.peak(state(find_root(rate, 0.0, sigma, rate0, rate1, 0.0).before), state_.size());
    }
    trace_.peak(stop, state_.size());
    const double stop_s = state_.time_s + sigma * step_s;
    while (trace_.next_sample_s() <= stop_s) {
        const double t = trace_.next_sample_s();
        const double at = std::clamp((t - state_.time_s) / step_s, 0.0, sigma);
        trace_.sample(t, excitation.base_acceleration_m_s2(t), state(at), state_.table.s, state_.standing, true);
    }
}

}  // namespace topple::solver
