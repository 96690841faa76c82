#include "solver/models/small_rotation_run.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/event/root_find.hpp"

namespace topple::solver {
namespace {

constexpr double kStep = 0.25;            // longest step, times 1/p
constexpr double kSubSampleCount = 10.0;  // per step: a guard changes sign at most once between two
constexpr double kRelativeTolerance = 1e-11, kAngleTolerance = 1e-12;
constexpr double kGapNoise = 1e-14;         // rounding of a gap that opens like t^3
constexpr double kJustAfter = 0.05;         // share of a step after which a hop from rest still goes out
constexpr double kForceTolerance = 1e-12;   // of the weight

bool is_constant(const MotionPiece* piece) noexcept {
    return piece == nullptr || (piece->harmonics.empty() && piece->polynomial[1] == 0.0 &&
                                piece->polynomial[2] == 0.0 && piece->polynomial[3] == 0.0);
}

}  // namespace

SmallRotationRun::SmallRotationRun(const Specimen& specimen, const SolverOptions& options)
    : body_(make_sliding_body(specimen, options.gravity_m_s2)),
      options_(options),
      quasi_linear_(options.model == Model::quasi_linear),
      tilt_rad_(specimen.initial_tilt_rad),
      trace_(options),
      step_next_s_(kStep / body_.p_rad_s) {
    for (std::size_t side = 0; side < 2; ++side) {
        const double x = body_.reach_m[side], z = body_.height_m[side], radius = std::hypot(x, z);
        corner_[side] = {std::atan2(x, z), body_.mass_kg * radius / (body_.inertia_kg_m2 + body_.mass_kg * radius * radius)};
    }
    if (!specimen.initial_rotation_rad.empty()) state_.rotation_rad = specimen.initial_rotation_rad[0];
    if (!specimen.initial_rotation_rate_rad_s.empty()) state_.rate_rad_s = specimen.initial_rotation_rate_rad_s[0];
    support_ = sign_of(state_.rotation_rad != 0.0 ? state_.rotation_rad : state_.rate_rad_s);
    uplifted_ = support_ != 0;
    trace_.peak(Motion<1>{{state_.rotation_rad}, {}}, 1);
}

Drive SmallRotationRun::drive(const BaseAcceleration& base) const noexcept {
    const double gravity = options_.gravity_m_s2 + base.vertical_m_s2;
    return {base.horizontal_m_s2 - gravity * std::sin(tilt_rad_), gravity * std::cos(tilt_rad_)};
}

SmallRotationEquation SmallRotationRun::equation(int support, const Drive& drive) const noexcept {
    return small_rotation_equation(corner_[side_index(support)], quasi_linear_, support, drive);
}

double SmallRotationRun::acceleration_rad_s2(const Drive& drive) const noexcept {
    return support_ == 0 ? 0.0 : equation(support_, drive).acceleration(state_.rotation_rad);
}

/// Base acceleration, away from `support`, above which the block lifts: each equation has its own.
double SmallRotationRun::threshold_m_s2(int support, double vertical_m_s2) const noexcept {
    const double alpha = corner_[side_index(support)].alpha_rad;
    return vertical_m_s2 * (quasi_linear_ ? std::tan(alpha) : alpha);
}

/// Between impacts theta'^2 - stiffness (theta - theta_e)^2 is kept, theta_e the unstable equilibrium.
bool SmallRotationRun::decided() const noexcept {
    if (fallen()) return true;
    const Drive still = drive({});
    if (support_ == 0)
        return still.horizontal_m_s2 <= threshold_m_s2(-1, still.vertical_m_s2) &&
               -still.horizontal_m_s2 <= threshold_m_s2(1, still.vertical_m_s2);
    double barrier = 0.0;
    for (const int support : {-1, 1}) {
        const SmallRotationEquation e = equation(support, still);
        const double edge = -support * e.forcing / e.stiffness;
        if (!(edge > 0.0 && e.stiffness > 0.0)) return false;
        barrier = support < 0 ? e.stiffness * edge * edge : std::min(barrier, e.stiffness * edge * edge);
    }
    const SmallRotationEquation e = equation(support_, still);
    const double edge = -support_ * e.forcing / e.stiffness, angle = support_ * state_.rotation_rad;
    const double base_rate2 =
        state_.rate_rad_s * state_.rate_rad_s + e.stiffness * (edge * edge - (edge - angle) * (edge - angle));
    return angle < edge && base_rate2 < barrier;
}

void SmallRotationRun::fail(SolverStatus status) noexcept {
    status_ = status;
    status_time_s_ = time_s_;
}

void SmallRotationRun::sample(double time_s, double base_acceleration_m_s2, const RotationAndRate& state, bool grid) {
    if (!trace_.keeps_history()) return;
    trace_.sample(time_s, base_acceleration_m_s2, Motion<1>{{state.rotation_rad}, {state.rate_rad_s}}, {support_},
                  fallen() ? 0 : 1, grid);
}

void SmallRotationRun::run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept {
    if (status_ != SolverStatus::ok || !(until_s > time_s_)) return;
    piece_ = pieces.horizontal;
    const Excitation excitation(pieces, options_.gravity_m_s2, tilt_rad_);
    if (!started_) sample(time_s_, excitation.base_acceleration_m_s2(time_s_), state_, true);
    started_ = true;
    while (time_s_ < until_s && status_ == SolverStatus::ok) {
        if (stop_when_decided && (at_rest() ? fallen() || decided() : options_.outcome_only && decided())) break;
        if (at_rest())
            rest(excitation, until_s);
        else
            step(excitation, until_s);
    }
    piece_ = nullptr;
}

void SmallRotationRun::rest(const Excitation& excitation, double until_s) {
    std::optional<Excitation::Exit> exit;
    const double g = excitation.still_vertical_m_s2();
    if (!fallen())
        exit = excitation.first_exit(time_s_, until_s, -threshold_m_s2(1, g), threshold_m_s2(-1, g),
                                     kForceTolerance * g);
    const double end_s = exit ? exit->time_s : until_s;
    while (trace_.next_sample_s() <= end_s)
        sample(trace_.next_sample_s(), excitation.base_acceleration_m_s2(trace_.next_sample_s()), state_, true);
    time_s_ = end_s;
    if (!exit) return;
    support_ = exit->above ? -1 : 1;
    uplifted_ = true;
    step_next_s_ = kStep / body_.p_rad_s;
    sample(time_s_, excitation.base_acceleration_m_s2(time_s_), state_, false);
    if (++event_count_ > options_.events_max) fail(SolverStatus::event_budget_spent);
}

void SmallRotationRun::step(const Excitation& excitation, double until_s) {
    double step_s = std::min({until_s - time_s_, kStep / body_.p_rad_s, excitation.step_max_s()});
    const double up = support_ * state_.rate_rad_s;
    const double down = -support_ * acceleration_rad_s2(excitation.drive(time_s_));
    if (up > 0.0 && down > 0.0) step_s = std::min(step_s, 3.0 * up / down);  // 1.5 flights of a hop
    const bool level = !excitation.moves_vertically();
    if (!quasi_linear_ && level) {
        const LinearisedFlow flow(corner_[side_index(support_)], support_, excitation.still_vertical_m_s2(),
                                  drive({}).horizontal_m_s2, piece_, time_s_, state_);
        const double start_s = time_s_;
        return finish_step([&](double sigma) { return flow.at(start_s + sigma * step_s); }, step_s, until_s, excitation);
    }
    if (is_constant(piece_) && level) {
        const SmallRotationEquation e = equation(support_, excitation.drive(time_s_));
        const RotationAndRate from = state_;
        return finish_step([&](double sigma) { return constant_flow(e, from, sigma * step_s); }, step_s, until_s,
                           excitation);
    }
    // Coefficients that vary in time (thesis 3.37; any vertical motion) have no solution in elementary functions.
    const auto acceleration = [&](double t, const Motion<1>& m) -> Row<1> {
        return {equation(support_, excitation.drive(t)).acceleration(m.phi_rad[0])};
    };
    const StepEnd<1> from{time_s_, {{state_.rotation_rad}, {state_.rate_rad_s}},
                          {acceleration_rad_s2(excitation.drive(time_s_))}};
    StepEnd<1> end;
    const Dop853<1>::Tolerance tolerance{kAngleTolerance, kAngleTolerance * body_.p_rad_s, kRelativeTolerance};
    step_s = std::min(step_s, step_next_s_);
    for (;;) {
        const double error = dop853_.attempt(acceleration, from, step_s, 1, tolerance, end);
        if (!std::isfinite(error)) return fail(SolverStatus::not_finite);
        step_next_s_ = step_s * std::clamp(error > 0.0 ? 0.9 * std::pow(error, -0.125) : 5.0, 0.2, 5.0);
        if (error <= 1.0) break;
        step_s = step_next_s_;
        if (time_s_ + step_s == time_s_) return fail(SolverStatus::step_too_small);
    }
    dop853_.prepare_dense(acceleration);
    finish_step(
        [&](double sigma) -> RotationAndRate {
            const Motion<1> m = sigma == 1.0 ? end.motion : dop853_.interpolate(acceleration, sigma);
            return {m.phi_rad[0], m.psi_rad_s[0]};
        },
        step_s, until_s, excitation);
}

template <class State>
SmallRotationRun::Event SmallRotationRun::first_event(State&& at) const {
    const auto gap = [&](double sigma) { return support_ * at(sigma).rotation_rad + kGapNoise; };
    const auto room = [&](double sigma) { return kHalfPi - std::abs(at(sigma).rotation_rad); };
    double left = 0.0;
    for (double i = 1.0; i <= kSubSampleCount; i += 1.0) {
        const double right = i / kSubSampleCount;
        const RotationAndRate there = at(right);
        if (support_ * there.rotation_rad + kGapNoise < 0.0 && support_ * there.rate_rad_s < 0.0) {
            const double open = gap(left);
            return {true, false, open <= 0.0 ? left : find_root(gap, left, right, open, gap(right), 0.0).after};
        }
        if (room(right) <= 0.0)
            return {false, true, find_root(room, left, right, room(left), room(right), 0.0).after};
        left = right;
    }
    return {};
}

/// Looks into a step known by `at`, keeps the part before its first event, and resets there.
template <class State>
void SmallRotationRun::finish_step(State&& at, double step_s, double until_s, const Excitation& excitation) {
    const Event event = first_event(at);
    const bool whole = !event.impact && !event.fall;
    const double end_s = whole && step_s == until_s - time_s_ ? until_s : time_s_ + event.sigma * step_s;
    while (trace_.next_sample_s() <= end_s) {
        const double t = trace_.next_sample_s();
        sample(t, excitation.base_acceleration_m_s2(t), at(std::min(1.0, (t - time_s_) / step_s)), true);
    }
    const RotationAndRate end = at(event.sigma);
    const auto rate = [&](double sigma) { return at(sigma).rate_rad_s; };
    const double from = state_.rate_rad_s == 0.0 ? kJustAfter * event.sigma : 0.0, before = rate(from);
    if ((before > 0.0) != (end.rate_rad_s > 0.0)) {
        const auto turn = find_root(rate, from, event.sigma, before, end.rate_rad_s, 0.0);
        trace_.peak(Motion<1>{{at(turn.before).rotation_rad}, {}}, 1);
    }
    time_s_ = end_s;
    state_ = end;
    trace_.peak(Motion<1>{{state_.rotation_rad}, {}}, 1);
    if (!std::isfinite(state_.rotation_rad)) return fail(SolverStatus::not_finite);
    if (whole) return;
    if (event.impact) impact(excitation);
    if (event.fall) trace_.fall(0, support_, time_s_);
    sample(time_s_, excitation.base_acceleration_m_s2(time_s_), state_, false);
    if (++event_count_ > options_.events_max) fail(SolverStatus::event_budget_spent);
}

void SmallRotationRun::impact(const Excitation& excitation) {
    const double ratio = body_.at_impact().sticking_ratio[side_index(support_)], before = state_.rate_rad_s;
    state_ = {0.0, ratio * before};
    trace_.impact({time_s_, 0, {before}, {state_.rate_rad_s}});
    support_ = -support_;
    step_next_s_ = kStep / body_.p_rad_s;
    if (std::abs(state_.rate_rad_s) > kRestRate * body_.p_rad_s) return;
    // The rest of the decaying sequence: geometric, two flights at a time.
    const auto flight = [&](int support, double rate) {
        const double down = -support * equation(support, excitation.drive(time_s_)).forcing;
        return down > 0.0 ? 2.0 * rate / down : 0.0;
    };
    const double rate = std::abs(state_.rate_rad_s), back = body_.sticking_ratio[side_index(support_)];
    const double both = ratio * back;
    settled_time_s_ = time_s_;
    if (both < 1.0) settled_time_s_ += (flight(support_, rate) + flight(-support_, back * rate)) / (1.0 - both);
    state_ = {};
    support_ = 0;
}

}  // namespace topple::solver
