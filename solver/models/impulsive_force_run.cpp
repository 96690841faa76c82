#include "solver/models/impulsive_force_run.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "solver/event/root_find.hpp"

namespace topple::solver {
namespace {

constexpr double kStep = 0.2;             // longest step, times 1/p
constexpr double kStepOfWidth = 0.5;      // longest way in a step inside the layer, of the bell's width
constexpr double kLayerWidths = 6.0;      // beyond them the bell is below 1e-15 of its middle
constexpr double kSubSampleCount = 10.0;  // per step: a guard changes sign at most once between two
constexpr double kRelativeTolerance = 1e-11, kAngleTolerance = 1e-13;
constexpr double kGapNoise = 1e-14;        // a step that starts on a guard has not met it
constexpr double kForceTolerance = 1e-12;  // of the weight
constexpr double kJustAfter = 0.05;        // share of a step after which a hop from rest still goes out

}  // namespace

ImpulsiveForceRun::ImpulsiveForceRun(const Specimen& specimen, const SolverOptions& options)
    : body_(make_sliding_body(specimen, options.gravity_m_s2)),
      block_(make_stack_state<1>(specimen, options.gravity_m_s2)),
      options_(options),
      tilt_rad_(specimen.initial_tilt_rad),
      trace_(options),
      step_next_s_(kStep / body_.p_rad_s) {
    const double alpha = std::min(std::atan2(body_.reach_m[0], body_.height_m[0]),
                                  std::atan2(body_.reach_m[1], body_.height_m[1]));
    width_rad_ = options.impulse_width_ratio * alpha;
    if (!specimen.initial_rotation_rad.empty()) state_.rotation_rad = specimen.initial_rotation_rad[0];
    if (!specimen.initial_rotation_rate_rad_s.empty()) state_.rate_rad_s = specimen.initial_rotation_rate_rad_s[0];
    support_ = sign_of(state_.rotation_rad != 0.0 ? state_.rotation_rad : state_.rate_rad_s);
    uplifted_ = support_ != 0;
    // A block that is set turning outwards has no impact behind it.
    inside_ = std::abs(state_.rotation_rad) < layer_rad() && support_ * state_.rate_rad_s <= 0.0;
    rate_before_rad_s_ = state_.rate_rad_s;
    if (inside_ && support_ != 0) amplitude_ = -std::log(body_.at_impact().sticking_ratio[side_index(support_)]);
    trace_.peak(Motion<1>{{state_.rotation_rad}, {}}, 1);
}

double ImpulsiveForceRun::layer_rad() const noexcept {
    return kLayerWidths * width_rad_;
}

Drive ImpulsiveForceRun::drive(const BaseAcceleration& base) const noexcept {
    const double gravity = options_.gravity_m_s2 + base.vertical_m_s2;
    return {base.horizontal_m_s2 - gravity * std::sin(tilt_rad_), gravity * std::cos(tilt_rad_)};
}

double ImpulsiveForceRun::acceleration(const RotationAndRate& state, const Drive& drive) const noexcept {
    const double free =
        sticking_response(body_, support_, {state.rotation_rad, state.rate_rad_s, 0.0, 0.0}, drive).rotation_rad_s2;
    if (!inside_ || support_ == 0) return free;
    const double x = state.rotation_rad / width_rad_;
    const double bell = std::exp(-x * x) / (width_rad_ * std::sqrt(std::numbers::pi));
    return free - amplitude_ * state.rate_rad_s * std::abs(state.rate_rad_s) * bell;
}

/// Energy only falls, so what cannot pass a barrier without loss never will.
bool ImpulsiveForceRun::decided() const noexcept {
    if (fallen()) return true;
    const Drive still = drive({});
    if (support_ != 0)
        return single_block_verdict(block_.stack.block[0], support_, state_.rotation_rad, state_.rate_rad_s, still,
                                    {1.0, 1.0}) == EnergyVerdict::stable;
    const RestBand band = block_.rest_band(still.vertical_m_s2);
    return still.horizontal_m_s2 <= band.high_m_s2 && still.horizontal_m_s2 >= band.low_m_s2;
}

void ImpulsiveForceRun::fail(SolverStatus status) noexcept {
    status_ = status;
    status_time_s_ = time_s_;
}

void ImpulsiveForceRun::sample(double time_s, double base_acceleration_m_s2, const RotationAndRate& state, bool grid) {
    if (!trace_.keeps_history()) return;
    trace_.sample(time_s, base_acceleration_m_s2, Motion<1>{{state.rotation_rad}, {state.rate_rad_s}}, {support_},
                  fallen() ? 0 : 1, grid);
}

void ImpulsiveForceRun::run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept {
    if (status_ != SolverStatus::ok || !(until_s > time_s_)) return;
    const Excitation excitation(pieces, options_.gravity_m_s2, tilt_rad_);
    if (!std::isfinite(excitation.horizontal_m_s2(time_s_)) || !std::isfinite(excitation.horizontal_m_s2(until_s)))
        return fail(SolverStatus::not_finite);
    if (!started_) sample(time_s_, excitation.base_acceleration_m_s2(time_s_), state_, true);
    started_ = true;
    while (time_s_ < until_s && status_ == SolverStatus::ok) {
        if (stop_when_decided && (at_rest() ? fallen() || decided() : options_.outcome_only && decided())) return;
        if (at_rest())
            rest(excitation, until_s);
        else
            step(excitation, until_s);
    }
}

void ImpulsiveForceRun::rest(const Excitation& excitation, double until_s) {
    std::optional<Excitation::Exit> exit;
    if (!fallen()) {
        const RestBand band = block_.rest_band(excitation.still_vertical_m_s2());
        exit = excitation.first_exit(time_s_, until_s, band.low_m_s2, band.high_m_s2,
                                     kForceTolerance * excitation.still_vertical_m_s2());
    }
    const double end_s = exit ? exit->time_s : until_s;
    while (trace_.next_sample_s() <= end_s)
        sample(trace_.next_sample_s(), excitation.base_acceleration_m_s2(trace_.next_sample_s()), state_, true);
    time_s_ = end_s;
    if (!exit) return;
    support_ = exit->above ? -1 : 1;
    uplifted_ = inside_ = true;
    amplitude_ = -std::log(body_.at_impact().sticking_ratio[side_index(support_)]);
    step_next_s_ = kStep / body_.p_rad_s;
    sample(time_s_, excitation.base_acceleration_m_s2(time_s_), state_, false);
    if (++event_count_ > options_.events_max) fail(SolverStatus::event_budget_spent);
}

double ImpulsiveForceRun::step_limit_s(const Excitation& excitation) const noexcept {
    const double limit = std::min(kStep / body_.p_rad_s, excitation.step_max_s());
    const double a = acceleration_rad_s2(excitation.drive(time_s_)), rate = std::abs(state_.rate_rad_s);
    if (inside_) return std::min(limit, kStepOfWidth * width_rad_ / (rate + std::sqrt(std::abs(a) * width_rad_)));
    const double up = support_ * state_.rate_rad_s, down = -support_ * a;
    return up > 0.0 && down > 0.0 ? std::min(limit, 3.0 * up / down) : limit;  // 1.5 flights of a hop
}

void ImpulsiveForceRun::step(const Excitation& excitation, double until_s) {
    const auto f = [&](double t, const Motion<1>& m) -> Row<1> {
        return {acceleration({m.phi_rad[0], m.psi_rad_s[0]}, excitation.drive(t))};
    };
    StepEnd<1> from{time_s_, {{state_.rotation_rad}, {state_.rate_rad_s}}, {}}, end;
    from.acceleration_rad_s2 = f(time_s_, from.motion);
    const Dop853<1>::Tolerance tolerance{kAngleTolerance, kAngleTolerance * body_.p_rad_s, kRelativeTolerance};
    double step_s = std::min({until_s - time_s_, step_limit_s(excitation), step_next_s_});
    for (;;) {
        const double error = dop853_.attempt(f, from, step_s, 1, tolerance, end);
        if (!std::isfinite(error)) return fail(SolverStatus::not_finite);
        step_next_s_ = step_s * std::clamp(error > 0.0 ? 0.9 * std::pow(error, -0.125) : 5.0, 0.2, 5.0);
        if (error <= 1.0) break;
        step_s = step_next_s_;
        if (time_s_ + step_s == time_s_) return fail(SolverStatus::step_too_small);
    }
    dop853_.prepare_dense(f);
    const auto at = [&](double sigma) -> RotationAndRate {
        const Motion<1> m = sigma == 1.0 ? end.motion : dop853_.interpolate(f, sigma);
        return {m.phi_rad[0], m.psi_rad_s[0]};
    };
    const Event event = first_event(at);
    const bool whole = event.kind == EventKind::none;
    const double end_s = whole && step_s == until_s - time_s_ ? until_s : time_s_ + event.sigma * step_s;
    while (trace_.next_sample_s() <= end_s) {
        const double t = trace_.next_sample_s();
        sample(t, excitation.base_acceleration_m_s2(t), at(std::min(1.0, (t - time_s_) / step_s)), true);
    }
    const auto rate = [&](double sigma) { return at(sigma).rate_rad_s; };
    const double after = state_.rate_rad_s == 0.0 ? kJustAfter * event.sigma : 0.0;
    if ((rate(after) > 0.0) != (rate(event.sigma) > 0.0)) {
        const auto turn = find_root(rate, after, event.sigma, rate(after), rate(event.sigma), 0.0);
        trace_.peak(Motion<1>{{at(turn.before).rotation_rad}, {}}, 1);
    }
    state_ = at(event.sigma);
    time_s_ = end_s;
    trace_.peak(Motion<1>{{state_.rotation_rad}, {}}, 1);
    if (!whole) reset(event.kind, excitation);
}

/// Positive until the event.
double ImpulsiveForceRun::guard(EventKind kind, const RotationAndRate& state) const noexcept {
    const double out = support_ * state.rotation_rad;
    switch (kind) {
        case EventKind::enters:
            return inside_ ? 1.0 : out - layer_rad() + kGapNoise;
        case EventKind::crosses:
            return out + kGapNoise;
        case EventKind::leaves:
            return inside_ ? layer_rad() - out : 1.0;
        case EventKind::falls:
            return kHalfPi - std::abs(state.rotation_rad);
        case EventKind::none:
            return 1.0;
    }
    return 1.0;
}

template <class State>
ImpulsiveForceRun::Event ImpulsiveForceRun::first_event(State&& at) const {
    Event first;
    for (const EventKind kind : {EventKind::enters, EventKind::crosses, EventKind::leaves, EventKind::falls}) {
        const auto value = [&](double sigma) { return guard(kind, at(sigma)); };
        const double towards = kind == EventKind::enters || kind == EventKind::crosses ? -support_ : support_;
        double left = 0.0, left_value = value(0.0);
        for (double i = 1.0; i <= kSubSampleCount && left < first.sigma; i += 1.0) {
            const double right = i / kSubSampleCount, right_value = value(right);
            if (right_value < 0.0 && towards * at(right).rate_rad_s > 0.0) {
                const double sigma =
                    left_value <= 0.0 ? left : find_root(value, left, right, left_value, right_value, 0.0).after;
                if (first.kind == EventKind::none || sigma < first.sigma) first = {kind, sigma};
                break;
            }
            left = right;
            left_value = right_value;
        }
    }
    return first;
}

void ImpulsiveForceRun::reset(EventKind kind, const Excitation& excitation) {
    switch (kind) {
        case EventKind::enters:
            inside_ = true;
            rate_before_rad_s_ = state_.rate_rad_s;
            amplitude_ = -std::log(body_.at_impact().sticking_ratio[side_index(support_)]);
            break;
        case EventKind::crosses:
            cross(excitation);
            break;
        case EventKind::leaves:
            inside_ = false;
            note_impact(state_.rate_rad_s);
            break;
        case EventKind::falls:
            trace_.fall(0, support_, time_s_);
            break;
        case EventKind::none:
            break;
    }
    step_next_s_ = kStep / body_.p_rad_s;
    sample(time_s_, excitation.base_acceleration_m_s2(time_s_), state_, false);
    if (++event_count_ > options_.events_max) fail(SolverStatus::event_budget_spent);
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
    support_ = -support_;
    state_.rotation_rad = 0.0;
    const double down = -support_ * sticking_response(body_, support_, {}, excitation.drive(time_s_)).rotation_rad_s2;
    if (down > 0.0 && state_.rate_rad_s * state_.rate_rad_s < 2.0 * down * layer_rad()) come_to_rest(excitation);
}

/// A hop that stays inside the layer tells nothing: the sequence ends as it would with an instantaneous force.
void ImpulsiveForceRun::come_to_rest(const Excitation& excitation) {
    const double ratio = std::exp(-amplitude_), rate = std::abs(state_.rate_rad_s) * std::sqrt(ratio);
    const auto flight = [&](int support) {
        const double down = -support * sticking_response(body_, support, {}, excitation.drive(time_s_)).rotation_rad_s2;
        return down > 0.0 ? 2.0 / down : 0.0;
    };
    note_impact(0.0);
    settled_time_s_ = time_s_;
    if (ratio < 1.0)
        settled_time_s_ += rate * (flight(support_) + ratio * flight(-support_)) / (1.0 - ratio * ratio);
    state_ = {};
    support_ = 0;
    inside_ = false;
}

}  // namespace topple::solver
