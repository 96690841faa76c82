#include "solver/models/slide_rock_run.hpp"

#include <algorithm>
#include <cmath>

#include "solver/event/root_find.hpp"

namespace topple::solver {
namespace {

constexpr double kRelativeTolerance = 1e-11, kAngleTolerance = 1e-12;
constexpr double kJustAfter = 0.05;       // share of a step after which a hop from rest still goes out

}  // namespace

SlidingBody make_sliding_body(const Specimen& specimen, double gravity_m_s2) {
    const StackState<1> block = make_stack_state<1>(specimen, gravity_m_s2);
    const BlockGeometry& geometry = block.stack.block[0];
    SlidingBody body;
    body.mass_kg = geometry.mass_kg;
    body.inertia_kg_m2 = geometry.inertia_kg_m2;
    for (const int support : {-1, 1}) {
        const std::size_t side = side_index(support);
        const Vec2& centre = geometry.centre_m[side == 0 ? 0 : 2];
        body.reach_m[side] = std::abs(centre.x);
        body.height_m[side] = centre.z;
        body.sticking_ratio[side] = block.single_ratio(support);
    }
    body.p_rad_s = block.p_rad_s;
    body.random = block.random;
    if (specimen.friction) body.friction = *specimen.friction;
    return body;
}

SlideRockRun::SlideRockRun(const Specimen& specimen, const SolverOptions& options)
    : body_(make_sliding_body(specimen, options.gravity_m_s2)),
      options_(options),
      tilt_rad_(specimen.initial_tilt_rad),
      trace_(options),
      step_next_s_(longest_step_s()) {
    if (!specimen.initial_rotation_rad.empty()) state_.rotation_rad = specimen.initial_rotation_rad[0];
    if (!specimen.initial_rotation_rate_rad_s.empty()) state_.rate_rad_s = specimen.initial_rotation_rate_rad_s[0];
    mode_.support = sign_of(state_.rotation_rad != 0.0 ? state_.rotation_rad : state_.rate_rad_s);
    uplifted_ = mode_.support != 0;
    trace_.peak(Motion<1>{{state_.rotation_rad}, {}}, 1);
}

Drive SlideRockRun::drive(const BaseAcceleration& base) const noexcept {
    const double gravity = options_.gravity_m_s2 + base.vertical_m_s2;
    return {base.horizontal_m_s2 - gravity * std::sin(tilt_rad_), gravity * std::cos(tilt_rad_)};
}

bool SlideRockRun::decided() const noexcept {
    if (fallen()) return true;
    const Drive still = drive({});
    const SlideRockBand band = rest_band(body_, still.vertical_m_s2);
    const bool holds = still.horizontal_m_s2 <= band.high_m_s2 && still.horizontal_m_s2 >= band.low_m_s2;
    if (mode_ == SlideRockMode{}) return holds;
    // Friction and impacts only take energy; on a slope gravity gives some while the foot slides.
    if (tilt_rad_ != 0.0 || !uplifted_) return false;
    double barrier_j = 0.0;
    for (std::size_t side = 0; side < 2; ++side) {
        const double radius = std::hypot(body_.reach_m[side], body_.height_m[side]);
        const double one = body_.mass_kg * still.vertical_m_s2 * (radius - body_.height_m[side]);
        barrier_j = side == 0 ? one : std::min(barrier_j, one);
    }
    const Vec2 r = centre_from_corner(body_, mode_.support == 0 ? 1 : mode_.support, state_.rotation_rad);
    const bool inside = mode_.support == 0 || mode_.support * r.x < 0.0;
    return inside && slide_rock_energy_j(body_, mode_.support, state_, still.vertical_m_s2) < barrier_j;
}

void SlideRockRun::fail(SolverStatus status) noexcept {
    status_ = status;
    status_time_s_ = time_s_;
}

void SlideRockRun::enter(SlideRockMode mode) noexcept {
    if (mode.support != 0) uplifted_ = true;
    mode_ = mode;
    if (mode == SlideRockMode{}) settled_time_s_ = time_s_;
}

void SlideRockRun::sample(double time_s, double base_acceleration_m_s2, const SlideRockState& state, bool grid) {
    if (!trace_.keeps_history()) return;
    trace_.sample(time_s, base_acceleration_m_s2, Motion<1>{{state.rotation_rad}, {state.rate_rad_s}},
                  {mode_.support}, fallen() ? 0 : 1, grid);
    slip_history_m_.push_back(state.slip_m);
}

void SlideRockRun::run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept {
    if (status_ != SolverStatus::ok || !(until_s > time_s_)) return;
    const Excitation excitation(pieces, options_.gravity_m_s2, tilt_rad_);
    if (!fallen()) {
        const bool turning = mode_.support != 0 && (state_.rotation_rad != 0.0 || state_.rate_rad_s != 0.0);
        const SlideRockMode next =
            decide_mode(body_, turning ? mode_.support : 0, state_, excitation.drive(time_s_));
        if (next != mode_) enter(next);
    }
    if (!started_) sample(time_s_, excitation.base_acceleration_m_s2(time_s_), state_, true);
    started_ = true;
    while (time_s_ < until_s && status_ == SolverStatus::ok) {
        if (stop_when_decided && (at_rest() ? fallen() || decided() : options_.outcome_only && decided())) return;
        if (fallen() || mode_ == SlideRockMode{})
            rest(excitation, until_s);
        else
            step(excitation, until_s);
    }
}

void SlideRockRun::rest(const Excitation& excitation, double until_s) {
    std::optional<Excitation::Exit> exit;
    if (!fallen()) {
        const SlideRockBand band = rest_band(body_, excitation.still_vertical_m_s2());
        exit = excitation.first_exit(time_s_, until_s, band.low_m_s2, band.high_m_s2,
                                     kForceTolerance * excitation.still_vertical_m_s2());
    }
    const double end_s = exit ? exit->time_s : until_s;
    while (trace_.next_sample_s() <= end_s)
        sample(trace_.next_sample_s(), excitation.base_acceleration_m_s2(trace_.next_sample_s()), state_, true);
    time_s_ = end_s;
    if (!exit) return;
    const SlideRockMode next = decide_mode(body_, 0, state_, excitation.drive(time_s_));
    enter(next == SlideRockMode{} ? leave_rest(body_, exit->above ? 1 : -1) : next);
    sample(time_s_, excitation.base_acceleration_m_s2(time_s_), state_, false);
    step_next_s_ = longest_step_s();
    if (++event_count_ > options_.events_max) fail(SolverStatus::event_budget_spent);
}

double SlideRockRun::step_limit_s(const Excitation& excitation) const noexcept {
    double limit = std::min(longest_step_s(), excitation.step_max_s());
    const SlideRockResponse now = response(body_, mode_, state_, excitation.drive(time_s_));
    // A hop that has just begun: see its end before the step is over.
    const double up = mode_.support * state_.rate_rad_s, down = -mode_.support * now.rotation_rad_s2;
    if (mode_.support != 0 && up > 0.0 && down > 0.0) limit = std::min(limit, 3.0 * up / down);
    const double ahead = mode_.slip * state_.slip_rate_m_s, brake = -mode_.slip * now.slip_m_s2;
    if (mode_.slip != 0 && ahead > 0.0 && brake > 0.0) limit = std::min(limit, 1.5 * ahead / brake);
    return limit;
}

void SlideRockRun::step(const Excitation& excitation, double until_s) {
    const auto accelerations = [&](double time_s, const Motion<2>& motion) -> Row<2> {
        const SlideRockResponse r = response(body_, mode_, to_state(motion), excitation.drive(time_s));
        return {r.rotation_rad_s2, r.slip_m_s2};
    };
    StepEnd<2> from{time_s_, to_motion(state_), {}}, end;
    from.acceleration_rad_s2 = accelerations(time_s_, from.motion);
    const Dop853<2>::Tolerance tolerance{kAngleTolerance, kAngleTolerance * body_.p_rad_s, kRelativeTolerance};
    double step_s = std::min({until_s - time_s_, step_limit_s(excitation), step_next_s_});
    for (;;) {
        const double error = dop853_.attempt(accelerations, from, step_s, 2, tolerance, end);
        if (!std::isfinite(error)) return fail(SolverStatus::not_finite);
        const double factor = error > 0.0 ? 0.9 * std::pow(error, -0.125) : 5.0;
        step_next_s_ = step_s * std::clamp(factor, 0.2, 5.0);
        if (error <= 1.0) break;
        step_s = step_next_s_;
        if (time_s_ + step_s == time_s_) return fail(SolverStatus::step_too_small);
    }
    dop853_.prepare_dense(accelerations);
    Event event = first_event(excitation, step_s);
    if (look_closer(event, step_s)) return;
    record_inside(end, step_s, event.sigma, excitation);
    if (event.kind != EventKind::none && event.sigma < 1.0) {
        step_s *= event.sigma;
        if (step_s > 0.0)
            dop853_.attempt(accelerations, from, step_s, 2, tolerance, end);
        else
            end = from;
    }
    time_s_ = event.kind == EventKind::none && step_s == until_s - time_s_ ? until_s : from.time_s + step_s;
    state_ = to_state(end.motion);
    trace_.peak(Motion<1>{{state_.rotation_rad}, {}}, 1);
    slip_peak_m_ = std::max(slip_peak_m_, std::abs(state_.slip_m));
    if (event.kind != EventKind::none) reset(event.kind, excitation);
}

/// Samples of the history and the turn of the rotation inside the part of the step that counts.
void SlideRockRun::record_inside(const StepEnd<2>& end, double step_s, double sigma, const Excitation& excitation) {
    const auto nothing = [](double, const Motion<2>&) { return Row<2>{}; };
    const auto at = [&](double s) { return dop853_.interpolate(nothing, s); };
    const double last_s = sigma >= 1.0 ? end.time_s : time_s_ + sigma * step_s;
    while (trace_.next_sample_s() <= last_s) {
        const double t = trace_.next_sample_s();
        sample(t, excitation.base_acceleration_m_s2(t), to_state(at(std::min(1.0, (t - time_s_) / step_s))), true);
    }
    if (mode_.support == 0) return;
    const double from = state_.rate_rad_s == 0.0 ? kJustAfter * sigma : 0.0;
    const double before = at(from).psi_rad_s[0], after = at(sigma).psi_rad_s[0];
    if ((before > 0.0) == (after > 0.0)) return;
    const auto turn = find_root([&](double s) { return at(s).psi_rad_s[0]; }, from, sigma, before, after, 0.0);
    trace_.peak(Motion<1>{{at(turn.before).phi_rad[0]}, {}}, 1);
}

}  // namespace topple::solver
