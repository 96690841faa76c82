// Inside one step: gaps that close, faces that open, blocks that topple, rotations that turn. Included by
// event_loop.hpp.
#pragma once

#include "solver/event/event_loop.hpp"

namespace topple::solver {

inline constexpr double kSimultaneous_s = 1e-12;  ///< events closer than this are one event
inline constexpr double kJustAfter = 0.05;  ///< share of a step after which a hop from rest still goes out
inline constexpr double kEdgeAlert = 0.1;  ///< edge share below which a step is searched for an opening

/// Cheap look at the ends and at a polynomial through them: can anything happen inside?
template <int N>
bool EventLoop<N>::suspicious(const StepEnd<N>& end, double step_s,
                              const Excitation& excitation) const noexcept {
    if (may_topple(end, step_s)) return true;
    for (int k = 0; k < state_.size(); ++k) {
        if (state_.table.s[k] != 0 &&
            gap_may_close(step_s, state_.table.s[k], state_.motion.phi_rad[k], state_.motion.psi_rad_s[k],
                          acceleration_rad_s2_[k], end.motion.phi_rad[k], end.motion.psi_rad_s[k],
                          end.acceleration_rad_s2[k]))
            return true;
    }
    return state_.table.open_count < state_.size() && edge_suspicious(end, step_s, excitation);
}

/// Can a rotation reach pi/2 inside the step? Rates that bend once inside it carry it no further than this.
template <int N>
bool EventLoop<N>::may_topple(const StepEnd<N>& end, double step_s) const noexcept {
    double theta0 = 0.0, theta1 = 0.0, rate0 = 0.0, rate1 = 0.0, acceleration0 = 0.0, acceleration1 = 0.0;
    for (int i = 0; i < state_.size(); ++i) {
        theta0 += state_.motion.phi_rad[i];
        theta1 += end.motion.phi_rad[i];
        rate0 += state_.motion.psi_rad_s[i];
        rate1 += end.motion.psi_rad_s[i];
        acceleration0 += acceleration_rad_s2_[i];
        acceleration1 += end.acceleration_rad_s2[i];
        const double rate = std::max(std::abs(rate0), std::abs(rate1)),
                     acceleration = std::max(std::abs(acceleration0), std::abs(acceleration1));
        if (std::max(std::abs(theta0), std::abs(theta1)) + step_s * (rate + step_s * acceleration) >= kHalfPi)
            return true;
    }
    return false;
}

template <int N>
double EventLoop<N>::edge_value(const Motion<N>& motion, double time_s,
                                const Excitation& excitation) const noexcept {
    return edge_margin<N>(contact_forces(state_.stack, state_.table, motion, excitation.drive(time_s)),
                          state_.table.s, state_.size())
        .margin;
}

template <int N>
bool EventLoop<N>::edge_suspicious(const StepEnd<N>& end, double step_s,
                                   const Excitation& excitation) const noexcept {
    for (const double sigma : {1.0, 0.5, 0.25, 0.75}) {
        Motion<N> motion;
        for (int k = 0; k < state_.size(); ++k) {
            if (state_.table.s[k] == 0) continue;
            const Quintic path(step_s, state_.motion.phi_rad[k], state_.motion.psi_rad_s[k],
                               acceleration_rad_s2_[k], end.motion.phi_rad[k], end.motion.psi_rad_s[k],
                               end.acceleration_rad_s2[k]);
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
        if (closing_at[k] >= 0.0 && (closing_at[k] - events.sigma) * step_s <= kSimultaneous_s)
            events.closing.add(k);
    }
    if (state_.table.open_count < state_.size()) find_opening(state, step_s, excitation, events);
    find_toppling(state, end, step_s, events);
    return events;
}

template <int N>
template <class State>
void EventLoop<N>::find_opening(State&& state, double step_s, const Excitation& excitation, Events& events) {
    const auto margin = [&](double sigma) {
        return edge_value(state(sigma), state_.time_s + sigma * step_s, excitation) + kContactTolerance;
    };
    double left = 0.0, margin_left = std::max(margin(0.0), 0.0);
    for (int i = 1; i <= kSubSamples && left < events.sigma; ++i) {
        const double right = static_cast<double>(i) / kSubSamples;
        const double margin_right = margin(right);
        if (margin_right < 0.0) {
            const double at = margin_left <= 0.0
                                  ? left
                                  : find_root(margin, left, right, margin_left, margin_right, 0.0).after;
            if ((at - events.sigma) * step_s > kSimultaneous_s) return;
            if ((events.sigma - at) * step_s > kSimultaneous_s) events = Events{};
            events.sigma = std::min(at, events.sigma);
            const EdgeMargin edge =
                edge_margin<N>(contact_forces(state_.stack, state_.table, state(at),
                                              excitation.drive(state_.time_s + at * step_s)),
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
void EventLoop<N>::find_toppling(State&& state, const StepEnd<N>& end, double step_s, Events& events) {
    if (!may_topple(end, step_s)) return;
    for (int block = 0; block < state_.size(); ++block) {
        const double at = first_toppling(state, block);
        if (at < 0.0 || at > events.sigma || (at == events.sigma && events.toppling >= 0)) continue;
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
        if (rate0 != 0.0 && (rate0 > 0.0) == (rate1 > 0.0)) continue;
        const auto rate = [&](double at) {
            const Motion<N> motion = state(at);
            double sum = 0.0;
            for (int i = 0; i <= block; ++i) sum += motion.psi_rad_s[i];
            return sum;
        };
        const double first = rate0 == 0.0 ? kJustAfter * sigma : 0.0, rate_first = rate(first);
        if ((rate_first > 0.0) == (rate1 > 0.0)) continue;
        trace_.peak(state(find_root(rate, first, sigma, rate_first, rate1, 0.0).before), state_.size());
    }
    trace_.peak(stop, state_.size());
    const double stop_s = state_.time_s + sigma * step_s;
    while (trace_.next_sample_s() <= stop_s) {
        const double t = trace_.next_sample_s();
        const double at = std::clamp((t - state_.time_s) / step_s, 0.0, sigma);
        trace_.sample(t, excitation.base_acceleration_m_s2(t), state(at), state_.table.s, state_.standing,
                      true);
    }
}

}  // namespace topple::solver
