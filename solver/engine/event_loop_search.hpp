// Inside one step: gaps that close, faces that open, blocks that topple, rotations that turn. Included by
// event_loop.hpp.
#pragma once

#include "solver/engine/event_loop.hpp"

namespace topple::solver {

inline constexpr double kSimultaneous_s = 1e-12;  ///< events closer than this are one event
inline constexpr double kJustAfter = 0.05;        ///< share of a step after which a hop from rest still goes out
/// Edge share below which a step is searched for an opening; below a short step's end the less, the shorter it is.
inline constexpr double kEdgeAlert = 0.1;

/// Cheap look at the ends and at a polynomial through them: can anything happen inside?
template <int N>
bool EventLoop<N>::suspicious(const StepEnd<N>& end, double step_s, const Excitation& excitation) const noexcept {
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

/// Does an edge of a full face carry little anywhere on the way?
template <int N>
bool EventLoop<N>::edge_suspicious(const StepEnd<N>& end, double step_s, const Excitation& excitation) const noexcept {
    const double alert = kEdgeAlert * std::min(1.0, step_s * state_.p_rad_s / kShortStep);
    for (const double sigma : {1.0, 0.5, 0.25, 0.75}) {
        const Motion<N> motion = between(state_.motion, end.motion, step_s, sigma, state_.size());
        const Drive drive = excitation.drive(state_.time_s + sigma * step_s);
        const Row<N> acceleration =
            sigma == 1.0 ? end.acceleration_rad_s2 : relative_accelerations(state_.table, motion, drive, state_.size());
        const Attitude<N> a = attitude(motion, state_.size());
        const auto contact = contact_forces(state_.stack, state_.table, a,
                                            inertia_loads(state_.stack, state_.table, a, acceleration, drive));
        if (edge_margin<N>(contact, state_.table.s, state_.size()).margin < alert) return true;
        if (is_short(step_s)) break;
    }
    return false;
}

template <int N>
template <class State>
typename EventLoop<N>::Events EventLoop<N>::find_events(State&& state, const StepEnd<N>& end, double step_s,
                                                        const Excitation& excitation) {
    Events events;
    MotionNodes<N> nodes;
    for (std::size_t i = 0; i < kGuardNodeCount; ++i) nodes[i] = state(kGuardNode[i]);
    Row<N> closing_at{};
    for (int i = 0; i < state_.table.open_count; ++i) {
        const int k = state_.table.open[i];
        closing_at[k] = -1.0;
        if (gap_may_close(step_s, state_.table.s[k], state_.motion.phi_rad[k], state_.motion.psi_rad_s[k],
                          acceleration_rad_s2_[k], end.motion.phi_rad[k], end.motion.psi_rad_s[k],
                          end.acceleration_rad_s2[k]))
            closing_at[k] = first_closing<N>(nodes, state, state_.table.s[k], k);
        if (closing_at[k] >= 0.0) events.sigma = std::min(events.sigma, closing_at[k]);
    }
    for (int i = 0; i < state_.table.open_count; ++i) {
        const int k = state_.table.open[i];
        if (closing_at[k] >= 0.0 && (closing_at[k] - events.sigma) * step_s <= kSimultaneous_s) events.closing.add(k);
    }
    if (state_.table.open_count < state_.size() && edge_suspicious(end, step_s, excitation))
        find_opening(nodes, state, step_s, excitation, events);
    if (may_topple(end, step_s)) find_toppling(nodes, state, events);
    return events;
}

template <int N>
template <class State>
void EventLoop<N>::find_opening(const MotionNodes<N>& nodes, State&& state, double step_s, const Excitation& excitation,
                                Events& events) {
    const auto contact = [&](const Motion<N>& motion, double sigma) {
        return contact_forces(state_.stack, state_.table, motion, excitation.drive(state_.time_s + sigma * step_s));
    };
    std::array<ContactForces<N>, kGuardNodeCount> forces;
    for (std::size_t i = 0; i < kGuardNodeCount; ++i) forces[i] = contact(nodes[i], kGuardNode[i]);
    double first = 2.0;
    int opening = -1, opens_about = 0;
    for (int k = 0; k < state_.size(); ++k) {
        for (const int about : {-1, 1}) {
            if (state_.table.s[k] != 0) continue;
            GuardValues values;
            for (std::size_t i = 0; i < kGuardNodeCount; ++i)
                values[i] = edge_share(forces[i], k, about) + kContactTolerance;
            // What was decided to stay full carries, but for rounding.
            values[0] = std::max(values[0], 0.0);
            const auto share = [&](double sigma) {
                const double now = edge_share(contact(state(sigma), sigma), k, about) + kContactTolerance;
                return sigma == 0.0 ? std::max(now, 0.0) : now;
            };
            const auto at = first_fall(values, share, [](double) { return true; });
            if (at && *at < first) first = *at, opening = k, opens_about = about;
        }
    }
    if (opening < 0 || (first - events.sigma) * step_s > kSimultaneous_s) return;
    if ((events.sigma - first) * step_s > kSimultaneous_s) events = Events{};
    events.sigma = std::min(first, events.sigma);
    events.opening = opening;
    events.opens_about = opens_about;
}

template <int N>
template <class State>
void EventLoop<N>::find_toppling(const MotionNodes<N>& nodes, State&& state, Events& events) {
    for (int block = 0; block < state_.size(); ++block) {
        const double at = first_toppling<N>(nodes, state, block);
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
        if (rate0 * rate1 > 0.0) continue;
        const auto rate = [&](double at) {
            const Motion<N> motion = state(at);
            double sum = 0.0;
            for (int i = 0; i <= block; ++i) sum += motion.psi_rad_s[i];
            return sum;
        };
        const double first = rate0 == 0.0 ? kJustAfter * sigma : 0.0, rate_first = rate(first);
        if (!(rate_first * rate1 < 0.0)) continue;  // an exact zero is treated alike on both sides
        trace_.peak(state(find_root(rate, first, sigma, rate_first, rate1, 0.0).before), state_.size());
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
