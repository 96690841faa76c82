#include "solver/laws/impulsive_force_run.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solver/numerics/accepted_step.hpp"
#include "solver/numerics/first_crossing.hpp"

namespace topple::solver {
namespace {

constexpr double kStep = 0.2;         // longest step, times 1/p
constexpr double kStepOfWidth = 0.5;  // longest way in a step inside the layer, of the bell's width
constexpr double kLayerWidths = 6.0;  // beyond them the bell is below 1e-15 of its middle
constexpr double kRelativeTolerance = 1e-11, kAngleTolerance = 1e-13;
constexpr double kGapNoise = 1e-14;  // a step that starts on a guard has not met it

}  // namespace

ImpulsiveForceRun::ImpulsiveForceRun(const Specimen& specimen, const SolverOptions& options)
    : SingleBlockRun(specimen, options, kStep), block_(make_stack_state<1>(specimen, options.gravity_m_s2)) {
    const double alpha =
        std::min(std::atan2(body_.reach_m[0], body_.height_m[0]), std::atan2(body_.reach_m[1], body_.height_m[1]));
    width_rad_ = options.impulse_width_ratio * alpha;
    // A block that is set turning outwards has no impact behind it.
    inside_ = std::abs(state_.rotation_rad) < layer_rad() && mode_.support * state_.rate_rad_s <= 0.0;
    rate_before_rad_s_ = state_.rate_rad_s;
    if (inside_ && mode_.support != 0) draw_amplitude();
}

double ImpulsiveForceRun::layer_rad() const noexcept { return kLayerWidths * width_rad_; }

void ImpulsiveForceRun::draw_amplitude() noexcept {
    amplitude_ = -std::log(body_.at_impact().sticking_ratio[side_index(mode_.support)]);
}

double ImpulsiveForceRun::acceleration_rad_s2(const SlideRockState& state, const Drive& drive) const noexcept {
    const double free = sticking_response(body_, mode_.support, state, drive).rotation_rad_s2;
    if (!inside_ || mode_.support == 0) return free;
    const double x = state.rotation_rad / width_rad_;
    const double bell = std::exp(-x * x) / (width_rad_ * std::sqrt(std::numbers::pi));
    return free - amplitude_ * state.rate_rad_s * std::abs(state.rate_rad_s) * bell;
}

SlideRockResponse ImpulsiveForceRun::contact(const Drive& drive) const noexcept {
    return held(acceleration_rad_s2(state_, drive), drive);
}

/// Energy only falls, so what cannot pass a barrier without loss never will.
bool ImpulsiveForceRun::decided_moving(const Drive& still) const noexcept {
    return single_block_verdict(block_.stack.block[0], mode_.support, state_.rotation_rad, state_.rate_rad_s, still,
                                {1.0, 1.0}) == EnergyVerdict::stable;
}

void ImpulsiveForceRun::leave_rest(bool above, const Excitation&) {
    mode_.support = above ? -1 : 1;
    uplifted_ = inside_ = true;
    draw_amplitude();
}

double ImpulsiveForceRun::step_limit_s(const Excitation& excitation) const noexcept {
    const double limit = std::min(longest_step_s_, excitation.step_max_s());
    const double a = acceleration_rad_s2(state_, excitation.drive(time_s_)), rate = std::abs(state_.rate_rad_s);
    if (inside_) return std::min(limit, kStepOfWidth * width_rad_ / (rate + std::sqrt(std::abs(a) * width_rad_)));
    const double up = mode_.support * state_.rate_rad_s, down = -mode_.support * a;
    return up > 0.0 && down > 0.0 ? std::min(limit, 3.0 * up / down) : limit;  // 1.5 flights of a hop
}

void ImpulsiveForceRun::step(const Excitation& excitation, double until_s) {
    const auto f = [&](double t, const Motion<1>& m) -> Row<1> {
        return {acceleration_rad_s2({m.phi_rad[0], m.psi_rad_s[0]}, excitation.drive(t))};
    };
    StepEnd<1> from{time_s_, {{state_.rotation_rad}, {state_.rate_rad_s}}, {}};
    from.acceleration_rad_s2 = f(time_s_, from.motion);
    const auto step =
        accepted_step(dop853_, f, from, std::min({until_s - time_s_, step_limit_s(excitation), step_next_s_}),
                      {kAngleTolerance, kAngleTolerance * body_.p_rad_s, kRelativeTolerance});
    if (step.status != SolverStatus::ok) return fail(step.status);
    step_next_s_ = step.next_s;
    dop853_.prepare_dense(f);
    const auto at = [&](double sigma) -> SlideRockState {
        const Motion<1> m = sigma == 1.0 ? step.end.motion : dop853_.interpolate(f, sigma);
        return {m.phi_rad[0], m.psi_rad_s[0]};
    };
    const Event event = first_event(at);
    const bool whole = event.kind == EventKind::none;
    const double end_s = end_of_step_s(event.sigma, step.step_s, whole, until_s);
    record_inside(at, {event.sigma, step.step_s, end_s}, excitation);
    arrive(end_s, at(event.sigma));
    if (!whole) reset(event.kind, excitation);
}

/// Positive until the event.
double ImpulsiveForceRun::guard(EventKind kind, const SlideRockState& state) const noexcept {
    const double out = mode_.support * state.rotation_rad;
    switch (kind) {
        case EventKind::enters: return inside_ ? 1.0 : out - layer_rad() + kGapNoise;
        case EventKind::crosses: return out + kGapNoise;
        case EventKind::leaves: return inside_ ? layer_rad() - out : 1.0;
        case EventKind::falls: return kHalfPi - std::abs(state.rotation_rad);
        case EventKind::none: return 1.0;
    }
    return 1.0;
}

template <class At>
ImpulsiveForceRun::Event ImpulsiveForceRun::first_event(At&& at) const {
    Event first;
    for (const EventKind kind : {EventKind::enters, EventKind::crosses, EventKind::leaves, EventKind::falls}) {
        const double towards = kind == EventKind::enters || kind == EventKind::crosses ? -mode_.support : mode_.support;
        const auto sigma = first_crossing([&](double s) { return guard(kind, at(s)); },
                                          [&](double s) { return towards * at(s).rate_rad_s > 0.0; }, first.sigma);
        if (sigma && (first.kind == EventKind::none || *sigma < first.sigma)) first = {kind, *sigma};
    }
    return first;
}

void ImpulsiveForceRun::reset(EventKind kind, const Excitation& excitation) {
    switch (kind) {
        case EventKind::enters:
            inside_ = true;
            rate_before_rad_s_ = state_.rate_rad_s;
            draw_amplitude();
            break;
        case EventKind::crosses: cross(excitation); break;
        case EventKind::leaves:
            inside_ = false;
            note_impact(state_.rate_rad_s);
            break;
        case EventKind::falls: trace_.fall(0, mode_.support, time_s_); break;
        case EventKind::none: break;
    }
    start_anew(excitation);
}

void ImpulsiveForceRun::note_impact(double rate_after_rad_s) {
    if (crossed_s_ < 0.0) return;
    trace_.impact({crossed_s_, 0, {rate_before_rad_s_}, {rate_after_rad_s}});
    crossed_s_ = -1.0;
}

/// The other corner takes over, at the same rate: the force alone brakes.
void ImpulsiveForceRun::cross(const Excitation& excitation) {
    note_impact(state_.rate_rad_s);
    crossed_s_ = time_s_;
    mode_.support = -mode_.support;
    state_.rotation_rad = 0.0;
    const double down = closing_rad_s2(body_, mode_.support, excitation.drive(time_s_));
    if (down > 0.0 && state_.rate_rad_s * state_.rate_rad_s < 2.0 * down * layer_rad()) come_to_rest(excitation);
}

/// A hop that stays inside the layer tells nothing: the sequence ends as it would with an instantaneous force.
void ImpulsiveForceRun::come_to_rest(const Excitation& excitation) {
    const double ratio = std::exp(-amplitude_), rate = std::abs(state_.rate_rad_s) * std::sqrt(ratio);
    const auto flight = [&](int support) {
        const double down = closing_rad_s2(body_, support, excitation.drive(time_s_));
        return down > 0.0 ? 2.0 / down : 0.0;
    };
    note_impact(0.0);
    settled_time_s_ = time_s_;
    if (ratio < 1.0)
        settled_time_s_ += rate * (flight(mode_.support) + ratio * flight(-mode_.support)) / (1.0 - ratio * ratio);
    state_ = {};
    mode_ = {};
    inside_ = false;
}

std::unique_ptr<RockingRun::Impl> make_impulsive_force_engine(const Specimen& specimen, const SolverOptions& options) {
    return std::make_unique<ImpulsiveForceRun>(specimen, options);
}

}  // namespace topple::solver
