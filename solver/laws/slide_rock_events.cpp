// Where inside a step a mode of the sliding and rocking block ends, and what follows there.
#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/laws/slide_rock_run.hpp"
#include "solver/numerics/first_crossing.hpp"

namespace topple::solver {
namespace {

constexpr double kShortestHop_s = 1e-12;  // shorter hops and slips are over at once

}  // namespace

bool SlideRockRun::guarded(EventKind kind) const noexcept {
    switch (kind) {
        case EventKind::impact:
        case EventKind::fall: return mode_.support != 0;
        case EventKind::slip_ends: return mode_.slip != 0;
        case EventKind::foot_lets_go: return mode_.support != 0 && mode_.slip == 0;
        case EventKind::none: return false;
    }
    return false;
}

/// Positive while the mode holds.
double SlideRockRun::guard(EventKind kind, const Motion<2>& motion, double time_s,
                           const Excitation& excitation) const noexcept {
    switch (kind) {
        case EventKind::impact: return mode_.support * motion.phi_rad[0];
        case EventKind::fall: return kHalfPi - std::abs(motion.phi_rad[0]);
        case EventKind::slip_ends: return mode_.slip * motion.psi_rad_s[1];
        case EventKind::foot_lets_go: {
            const SlideRockState state = to_state(motion);
            const Drive drive = excitation.drive(time_s);
            const double deficit = stick_deficit_m_s2(body_, mode_.support, state, drive);
            const double friction = sticking_response(body_, mode_.support, state, drive).friction_m_s2;
            // A wedged foot holds whatever friction it needs.
            if (let_go(body_, mode_.support, state, sign_of(friction)).slip == 0) return drive.vertical_m_s2;
            return kForceTolerance * drive.vertical_m_s2 - deficit;
        }
        case EventKind::none: return 1.0;
    }
    return 1.0;
}

/// A guard that starts at zero (a hop, the onset of slip) counts only if its quantity also shrinks.
bool SlideRockRun::closing(EventKind kind, const Motion<2>& motion, double time_s,
                           const Excitation& excitation) const noexcept {
    if (kind == EventKind::impact) return mode_.support * motion.psi_rad_s[0] < 0.0;
    if (kind != EventKind::slip_ends) return true;
    return mode_.slip * response(body_, mode_, to_state(motion), excitation.drive(time_s)).slip_m_s2 < 0.0;
}

SlideRockRun::Event SlideRockRun::first_event(const Excitation& excitation, double step_s) const {
    const auto nothing = [](double, const Motion<2>&) { return Row<2>{}; };
    const auto at = [&](double sigma) { return dop853_.interpolate(nothing, sigma); };
    const auto time_s = [&](double sigma) { return time_s_ + sigma * step_s; };
    Event first;
    for (const EventKind kind : {EventKind::impact, EventKind::slip_ends, EventKind::foot_lets_go, EventKind::fall}) {
        if (!guarded(kind)) continue;
        const auto sigma =
            first_crossing([&](double s) { return guard(kind, at(s), time_s(s), excitation); },
                           [&](double s) { return closing(kind, at(s), time_s(s), excitation); }, first.sigma);
        if (sigma && (first.kind == EventKind::none || *sigma < first.sigma)) first = {kind, *sigma};
    }
    return first;
}

/// Has a hop or a slip from rest begun and ended unseen inside the step? Then the next attempt is shorter.
bool SlideRockRun::look_closer(Event& event, double step_s) noexcept {
    if (event.sigma != 0.0 || (event.kind != EventKind::impact && event.kind != EventKind::slip_ends)) return false;
    if (step_s <= kShortestHop_s) {
        event.sigma = 1.0;  // time goes on
        return false;
    }
    step_next_s_ = 0.1 * step_s;
    return true;
}

void SlideRockRun::reset(EventKind kind, const Excitation& excitation) {
    const Drive drive = excitation.drive(time_s_);
    switch (kind) {
        case EventKind::impact: impact(excitation); break;
        case EventKind::slip_ends:
            state_.slip_rate_m_s = 0.0;
            enter(decide_mode(body_, mode_.support, state_, drive));
            break;
        case EventKind::foot_lets_go: {
            const int friction = sign_of(sticking_response(body_, mode_.support, state_, drive).friction_m_s2);
            enter(let_go(body_, mode_.support, state_, friction));
            break;
        }
        case EventKind::fall: trace_.fall(0, mode_.support, time_s_); break;
        case EventKind::none: break;
    }
    start_anew(excitation);
}

void SlideRockRun::impact(const Excitation& excitation) {
    const Drive drive = excitation.drive(time_s_);
    state_.rotation_rad = 0.0;
    const SlideRockImpact after =
        slide_rock_impact(body_.at_impact(), mode_.support, state_.rate_rad_s, state_.slip_rate_m_s);
    trace_.impact({time_s_, 0, {state_.rate_rad_s}, {after.rate_rad_s}});
    state_.rate_rad_s = after.rate_rad_s;
    state_.slip_rate_m_s = after.slip_rate_m_s;
    const std::optional<double> dying_away_s = note_impact();
    if (dying_away_s && decide_mode(body_, 0, {0.0, 0.0, state_.slip_m, 0.0}, drive) == SlideRockMode{}) {
        state_.rate_rad_s = state_.slip_rate_m_s = 0.0;
        enter({});
        settled_time_s_ = time_s_ + *dying_away_s;
        return;
    }
    if (after.support != 0 && std::abs(after.rate_rad_s) > kRestRate * body_.p_rad_s)
        return go_on(after.support, drive);
    mode_.support = after.support;
    const double remaining = remaining_s(drive);
    state_.rate_rad_s = 0.0;
    go_on(0, drive);
    if (mode_ == SlideRockMode{}) settled_time_s_ = time_s_ + remaining;
}

/// Remembers how fast the body is after this impact. Once that is slow and slower than two impacts ago: the time that
/// the rest of the sequence takes. Small motions under a steady drive are similar, whether the foot slips or not: two
/// flights on, all rates and the flights themselves have shrunk by the same ratio
/// (docs/physics.md#sliding-and-rocking).
std::optional<double> SlideRockRun::note_impact() noexcept {
    const double rate = std::max(std::abs(state_.rate_rad_s), std::abs(state_.slip_rate_m_s) * body_.p_rad_s *
                                                                  body_.p_rad_s / options_.gravity_m_s2);
    const ImpactMark before = impact_marks_[1];
    impact_marks_ = {ImpactMark{time_s_, rate}, impact_marks_[0]};
    if (rate > kRestRate * body_.p_rad_s || !(rate < before.rate_rad_s)) return std::nullopt;
    const double ratio = rate / before.rate_rad_s;
    return (time_s_ - before.time_s) * ratio / (1.0 - ratio);
}

/// Rest of a decaying sequence without slip: geometric, two flights at a time (docs/physics.md#stacks, Rest).
double SlideRockRun::remaining_s(const Drive& drive) const noexcept {
    if (mode_.support == 0 || state_.rate_rad_s == 0.0 || state_.slip_rate_m_s != 0.0) return 0.0;
    const auto flight = [&](int support, double rate) {
        const double down = closing_rad_s2(body_, support, drive);
        return down > 0.0 ? 2.0 * rate / down : 0.0;
    };
    const double rate = std::abs(state_.rate_rad_s);
    const double out = body_.sticking_ratio[side_index(mode_.support)];
    const double ratio = body_.sticking_ratio[0] * body_.sticking_ratio[1];
    return ratio < 1.0 ? (flight(mode_.support, rate) + flight(-mode_.support, out * rate)) / (1.0 - ratio) : 0.0;
}

}  // namespace topple::solver
