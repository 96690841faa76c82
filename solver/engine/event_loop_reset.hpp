// At events: impacts, openings, falls, rest; what is known about the future. Included by event_loop.hpp.
#pragma once

#include "solver/engine/event_loop.hpp"

namespace topple::solver {

template <int N>
EventLoop<N>::EventLoop(const StackState<N>& start, const SolverOptions& options, double tilt_rad,
                        double friction_ratio)
    : state_(start),
      trace_(options),
      watch_(!options.outcome_only, friction_ratio),
      options_(options),
      tilt_rad_(tilt_rad) {
    step_next_s_ = 0.1 / state_.p_rad_s;
    uplifted_ = state_.standing > 0 && !state_.all_full();
    rest_band_ = state_.rest_band(drive({}).vertical_m_s2);
    if (state_.standing > 0) trace_.peak(state_);
}

template <int N>
Drive EventLoop<N>::drive(const BaseAcceleration& base) const noexcept {
    Drive drive = Excitation({}, options_.gravity_m_s2 + base.vertical_m_s2, tilt_rad_).drive(0.0);
    drive.horizontal_m_s2 += base.horizontal_m_s2;
    return drive;
}

template <int N>
void EventLoop<N>::refresh_acceleration(const Excitation& excitation) noexcept {
    acceleration_rad_s2_ =
        relative_accelerations(state_.table, state_.motion, excitation.drive(state_.time_s), state_.size());
    acceleration_known_ = true;
}

template <int N>
void EventLoop<N>::fail(SolverStatus status) noexcept {
    status_ = status;
    status_time_s_ = state_.time_s;
}

template <int N>
void EventLoop<N>::leave_rest(const Excitation& excitation, bool above) {
    const Drive now = excitation.drive(state_.time_s);
    // A jump of the drive: all faces are decided together. A smooth crossing: the one whose edge lets go, at
    // once.
    if (!state_.decide(now)) state_.open(above ? rest_band_.high_interface : rest_band_.low_interface, above ? -1 : 1);
    ++event_count_;
    uplifted_ = true;
    fresh_ = true;
    acceleration_known_ = false;
    sample_event(excitation);
}

template <int N>
void EventLoop<N>::reset(const Events& events, const Excitation& excitation) {
    ++event_count_;
    fresh_ = true;
    step_closer_s_ = std::numeric_limits<double>::infinity();
    acceleration_known_ = false;
    if (events.closing.size > 0) impact(events.closing, excitation);
    if (events.opening >= 0 && state_.table.s[events.opening] == 0 && !state_.all_full()) {
        state_.open(events.opening, events.opens_about);
        sample_event(excitation);
    }
    if (events.toppling >= 0) topple(events.toppling, excitation);
}

template <int N>
void EventLoop<N>::impact(const InterfaceSet<N>& closing, const Excitation& excitation) {
    sample_event(excitation);
    ImpactRecord<N> record{state_.time_s, 0, {}, {}};
    for (int i = 0; i < state_.size(); ++i) record.before_rad_s[i] = state_.rate_rad_s(i);
    const SupportTable<N> table_before = state_.table;
    const Motion<N> motion_before = state_.motion;
    const Attitude<N> attitude_before = attitude(motion_before, state_.size());
    Row<N> after{};
    const double remaining = state_.impact(closing, excitation.drive(state_.time_s), after);
    if (!is_finite(state_.motion, state_.size())) {
        state_.motion = motion_before;
        return fail(SolverStatus::not_finite);
    }
    double rate = 0.0;
    for (int i = 0; i < state_.size(); ++i) record.after_rad_s[i] = rate += after[i];
    watch_impact(table_before, attitude_before, record.after_rad_s);
    for (int i = 0; i < closing.size; ++i) {
        record.interface_index = closing.index[i];
        trace_.impact(record);
    }
    if (state_.all_full()) came_to_rest(remaining);
    sample_event(excitation);
}

template <int N>
void EventLoop<N>::came_to_rest(double remaining_s) noexcept {
    settled_time_s_ = state_.time_s + remaining_s;
    step_next_s_ = 0.1 / state_.p_rad_s;
}

template <int N>
void EventLoop<N>::topple(int lowest, const Excitation& excitation) {
    double theta = 0.0;
    for (int i = 0; i < state_.size(); ++i) {
        theta += state_.motion.phi_rad[i];
        if (i >= lowest) trace_.fall(i, theta < 0.0 ? -1 : 1, state_.time_s);
    }
    state_.remove_from(lowest);
    if (state_.standing > 0) {
        rest_band_ = state_.rest_band(excitation.still_vertical_m_s2());
        if (state_.all_full())
            came_to_rest(0.0);
        else
            state_.decide(excitation.drive(state_.time_s));
    }
    sample_event(excitation);
}

template <int N>
void EventLoop<N>::sample_event(const Excitation& excitation) {
    if (trace_.keeps_history())
        trace_.sample(state_.time_s, excitation.base_acceleration_m_s2(state_.time_s), state_.motion, state_.table.s,
                      state_.standing, false);
}

template <int N>
void EventLoop<N>::sample_rest_until(const Excitation& excitation, double until_s) {
    while (trace_.next_sample_s() <= until_s) {
        const double t = trace_.next_sample_s();
        trace_.sample(t, excitation.base_acceleration_m_s2(t), state_.motion, state_.table.s, state_.standing, true);
    }
}

template <int N>
EnergyVerdict EventLoop<N>::verdict() const noexcept {
    if (state_.standing == 0 || state_.all_full())
        return state_.standing == 0 || rests_when_coasting() ? EnergyVerdict::stable : EnergyVerdict::undecided;
    const Drive still = drive({});
    if (state_.standing > 1) return stack_verdict(state_.stack, state_.table, state_.motion, still);
    const auto told = [&](const std::array<double, 2>& ratio) {
        return single_block_verdict(state_.stack.block[0], state_.table.s[0], state_.motion.phi_rad[0],
                                    state_.motion.psi_rad_s[0], still, ratio);
    };
    if (!state_.random.in_use()) return told({state_.single_ratio(-1), state_.single_ratio(1)});
    // Ratios still to be drawn: told only if neither a full nor no rebound changes it.
    const EnergyVerdict lossless = told({1.0, 1.0});
    return lossless == told({0.0, 0.0}) ? lossless : EnergyVerdict::undecided;
}

template <int N>
void EventLoop<N>::conclude() noexcept {
    if (status_ != SolverStatus::ok || finished()) return;
    told_ = verdict();
    if (told_ == EnergyVerdict::undecided && state_.standing > 1) told_ = verdict_later();
    if (told_ == EnergyVerdict::undecided) fail(SolverStatus::undecided);
}

template <int N>
EnergyVerdict EventLoop<N>::verdict_later() const noexcept {
    try {
        EventLoop later = *this;
        later.options_.outcome_only = true;
        later.run({}, state_.time_s + kLookAheadLimits * options_.settle_limit_s, true);
        const bool is_the_same = later.status_ == SolverStatus::ok && later.state_.standing == state_.standing;
        if (is_the_same && later.finished()) return EnergyVerdict::stable;
    } catch (const std::bad_alloc&) {  // then it is not known
    }
    return EnergyVerdict::undecided;
}

template <int N>
bool EventLoop<N>::rests_when_coasting() const noexcept {
    if (!state_.all_full()) return false;
    const double u = drive({}).horizontal_m_s2;
    const double tolerance = kContactTolerance * options_.gravity_m_s2;
    return u <= rest_band_.high_m_s2 + tolerance && u >= rest_band_.low_m_s2 - tolerance;
}

template <int N>
bool EventLoop<N>::finished() noexcept {
    if (state_.standing == 0 || rests_when_coasting()) return true;
    // Also of impacts without end (no energy lost) energy may tell how it ends.
    if (options_.outcome_only || event_count_ > options_.events_max) told_ = verdict();
    return told_ != EnergyVerdict::undecided;
}

}  // namespace topple::solver
