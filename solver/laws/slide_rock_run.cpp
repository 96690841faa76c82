#include "solver/laws/slide_rock_run.hpp"

#include <algorithm>
#include <cmath>

#include "solver/numerics/accepted_step.hpp"

namespace topple::solver {
namespace {

constexpr double kStep = 0.2;  // longest step, times 1/p
constexpr double kRelativeTolerance = 1e-11, kAngleTolerance = 1e-12;

}  // namespace

SlideRockRun::SlideRockRun(const Specimen& specimen, const SolverOptions& options)
    : SingleBlockRun(specimen, options, kStep) {}

bool SlideRockRun::decided_moving(const Drive& still) const noexcept {
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

SlideRockResponse SlideRockRun::contact(const Drive& drive) const noexcept {
    return response(body_, mode_, state_, drive);
}

void SlideRockRun::enter(SlideRockMode mode) noexcept {
    if (mode.support != 0) uplifted_ = true;
    mode_ = mode;
    if (mode == SlideRockMode{}) settled_time_s_ = time_s_;
}

/// Into the mode that follows here; a slip that friction wedges is stopped at once
/// (docs/physics.md#sliding-and-rocking).
void SlideRockRun::go_on(int support, const Drive& drive) noexcept {
    SlideRockMode next = decide_mode(body_, support, state_, drive);
    if (is_jammed(body_, next, state_, drive)) {
        state_ = stopped_slip(body_, next.support, state_);
        next = decide_mode(body_, next.support, state_, drive);
    }
    enter(next);
}

void SlideRockRun::look_again(const Excitation& excitation) {
    const bool turning = mode_.support != 0 && (state_.rotation_rad != 0.0 || state_.rate_rad_s != 0.0);
    const SlideRockMode next = decide_mode(body_, turning ? mode_.support : 0, state_, excitation.drive(time_s_));
    if (next != mode_) enter(next);
}

void SlideRockRun::leave_rest(bool above, const Excitation& excitation) {
    impact_marks_ = {};
    const SlideRockMode next = decide_mode(body_, 0, state_, excitation.drive(time_s_));
    enter(next == SlideRockMode{} ? solver::leave_rest(body_, above ? 1 : -1) : next);
}

double SlideRockRun::step_limit_s(const Excitation& excitation) const noexcept {
    double limit = std::min(longest_step_s_, excitation.step_max_s());
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
    StepEnd<2> from{time_s_, to_motion(state_), {}};
    from.acceleration_rad_s2 = accelerations(time_s_, from.motion);
    const Dop853<2>::Tolerance tolerance{kAngleTolerance, kAngleTolerance * body_.p_rad_s, kRelativeTolerance};
    const double wanted_s = std::min({until_s - time_s_, step_limit_s(excitation), step_next_s_});
    auto [end, step_s, next_s, status] = accepted_step(dop853_, accelerations, from, wanted_s, tolerance);
    if (status != SolverStatus::ok) return fail(status);
    step_next_s_ = next_s;
    dop853_.prepare_dense(accelerations);
    Event event = first_event(excitation, step_s);
    if (look_closer(event, step_s)) return;
    const auto at = [&](double sigma) { return to_state(dop853_.interpolate(accelerations, sigma)); };
    const double part_end_s = event.sigma >= 1.0 ? end.time_s : time_s_ + event.sigma * step_s;
    record_inside(at, {event.sigma, step_s, part_end_s}, excitation);
    const double end_s = end_of_step_s(event.sigma, step_s, event.kind == EventKind::none, until_s);
    if (event.kind != EventKind::none && event.sigma < 1.0) {
        if (event.sigma * step_s > 0.0)
            dop853_.attempt(accelerations, from, event.sigma * step_s, 2, tolerance, end);
        else
            end = from;
    }
    arrive(end_s, to_state(end.motion));
    if (event.kind != EventKind::none) reset(event.kind, excitation);
}

void SlideRockRun::fill(Prediction& prediction) const {
    SingleBlockRun::fill(prediction);
    prediction.slip = slip();
}

std::unique_ptr<RockingRun::Impl> make_slide_rock_engine(const Specimen& specimen, const SolverOptions& options) {
    return std::make_unique<SlideRockRun>(specimen, options);
}

}  // namespace topple::solver
