#include "solver/laws/small_rotation_run.hpp"

#include <algorithm>
#include <cmath>

#include "solver/numerics/accepted_step.hpp"
#include "solver/numerics/first_crossing.hpp"

namespace topple::solver {
namespace {

constexpr double kStep = 0.25;  // longest step, times 1/p
constexpr double kRelativeTolerance = 1e-11, kAngleTolerance = 1e-12;
constexpr double kGapNoise = 1e-14;  // rounding of a gap that opens like t^3

bool is_constant(const MotionPiece* piece) noexcept {
    return piece == nullptr || (piece->harmonics.empty() && piece->polynomial[1] == 0.0 &&
                                piece->polynomial[2] == 0.0 && piece->polynomial[3] == 0.0);
}

}  // namespace

SmallRotationRun::SmallRotationRun(const Specimen& specimen, const SolverOptions& options)
    : SingleBlockRun(specimen, options, kStep), quasi_linear_(options.model == Model::quasi_linear) {
    for (std::size_t side = 0; side < 2; ++side) {
        const double x = body_.reach_m[side], z = body_.height_m[side], radius = std::hypot(x, z);
        corner_[side] = {std::atan2(x, z),
                         body_.mass_kg * radius / (body_.inertia_kg_m2 + body_.mass_kg * radius * radius)};
    }
}

SmallRotationEquation SmallRotationRun::equation(int support, const Drive& drive) const noexcept {
    return small_rotation_equation(corner_[side_index(support)], quasi_linear_, support, drive);
}

double SmallRotationRun::acceleration_rad_s2(const Drive& drive) const noexcept {
    return mode_.support == 0 ? 0.0 : equation(mode_.support, drive).acceleration(state_.rotation_rad);
}

/// Base acceleration, away from `support`, above which the block lifts: each equation has its own.
double SmallRotationRun::threshold_m_s2(int support, double vertical_m_s2) const noexcept {
    const double alpha = corner_[side_index(support)].alpha_rad;
    return vertical_m_s2 * (quasi_linear_ ? std::tan(alpha) : alpha);
}

RestBand SmallRotationRun::band(double vertical_m_s2) const noexcept {
    return {-threshold_m_s2(1, vertical_m_s2), threshold_m_s2(-1, vertical_m_s2)};
}

void SmallRotationRun::leave_rest(bool above, const Excitation&) {
    mode_.support = above ? -1 : 1;
    uplifted_ = true;
}

SlideRockResponse SmallRotationRun::contact(const Drive& drive) const noexcept {
    return held(acceleration_rad_s2(drive), drive);
}

/// Between impacts theta'^2 - stiffness (theta - theta_e)^2 is kept, theta_e the unstable equilibrium.
bool SmallRotationRun::decided_moving(const Drive& still) const noexcept {
    double barrier = 0.0;
    for (const int support : {-1, 1}) {
        const SmallRotationEquation e = equation(support, still);
        const double edge = -support * e.forcing / e.stiffness;
        if (!(edge > 0.0 && e.stiffness > 0.0)) return false;
        barrier = support < 0 ? e.stiffness * edge * edge : std::min(barrier, e.stiffness * edge * edge);
    }
    const SmallRotationEquation e = equation(mode_.support, still);
    const double edge = -mode_.support * e.forcing / e.stiffness, angle = mode_.support * state_.rotation_rad;
    const double base_rate2 =
        state_.rate_rad_s * state_.rate_rad_s + e.stiffness * (edge * edge - (edge - angle) * (edge - angle));
    return angle < edge && base_rate2 < barrier;
}

void SmallRotationRun::step(const Excitation& excitation, double until_s) {
    double step_s = std::min({until_s - time_s_, longest_step_s_, excitation.step_max_s()});
    const double up = mode_.support * state_.rate_rad_s;
    const double down = -mode_.support * acceleration_rad_s2(excitation.drive(time_s_));
    if (up > 0.0 && down > 0.0) step_s = std::min(step_s, 3.0 * up / down);  // 1.5 flights of a hop
    const bool level = !excitation.moves_vertically();
    const MotionPiece* piece = excitation.horizontal_piece();
    const RotationAndRate start{state_.rotation_rad, state_.rate_rad_s};
    if (!quasi_linear_ && level) {
        const LinearisedFlow flow(corner_[side_index(mode_.support)], mode_.support, excitation.still_vertical_m_s2(),
                                  drive({}).horizontal_m_s2, piece, time_s_, start);
        const double start_s = time_s_;
        return finish_step([&](double sigma) { return flow.at(start_s + sigma * step_s); }, step_s, until_s,
                           excitation);
    }
    if (is_constant(piece) && level) {
        const SmallRotationEquation e = equation(mode_.support, excitation.drive(time_s_));
        return finish_step([&](double sigma) { return constant_flow(e, start, sigma * step_s); }, step_s, until_s,
                           excitation);
    }
    // Coefficients that vary in time (thesis 3.37; any vertical motion) have no solution in elementary functions.
    const auto acceleration = [&](double t, const Motion<1>& m) -> Row<1> {
        return {equation(mode_.support, excitation.drive(t)).acceleration(m.phi_rad[0])};
    };
    const StepEnd<1> from{
        time_s_, {{state_.rotation_rad}, {state_.rate_rad_s}}, {acceleration_rad_s2(excitation.drive(time_s_))}};
    const auto step = accepted_step(dop853_, acceleration, from, std::min(step_s, step_next_s_),
                                    {kAngleTolerance, kAngleTolerance * body_.p_rad_s, kRelativeTolerance});
    if (step.status != SolverStatus::ok) return fail(step.status);
    step_next_s_ = step.next_s;
    dop853_.prepare_dense(acceleration);
    finish_step(
        [&](double sigma) -> RotationAndRate {
            const Motion<1> m = sigma == 1.0 ? step.end.motion : dop853_.interpolate(acceleration, sigma);
            return {m.phi_rad[0], m.psi_rad_s[0]};
        },
        step.step_s, until_s, excitation);
}

template <class At>
SmallRotationRun::Event SmallRotationRun::first_event(At&& at) const {
    const auto impact = first_crossing([&](double s) { return mode_.support * at(s).rotation_rad + kGapNoise; },
                                       [&](double s) { return mode_.support * at(s).rate_rad_s < 0.0; }, 1.0);
    if (impact) return {true, false, *impact};
    const auto fall = first_crossing([&](double s) { return kHalfPi - std::abs(at(s).rotation_rad); },
                                     [](double) { return true; }, 1.0);
    return {false, fall.has_value(), fall.value_or(1.0)};
}

/// The guard lets the gap close by its noise; the impact is where it is zero, or a slow hop would come down faster than
/// it went up.
template <class At>
double SmallRotationRun::gap_closes(At&& at, double sigma, double step_s) const noexcept {
    const SlideRockState there = at(sigma);
    const double back = there.rotation_rad / (there.rate_rad_s * step_s);
    return back > 0.0 && back < sigma ? sigma - back : sigma;
}

/// Looks into a step known by `flow`, keeps the part before its first event, and resets there.
template <class Flow>
void SmallRotationRun::finish_step(Flow&& flow, double step_s, double until_s, const Excitation& excitation) {
    const auto at = [&](double sigma) -> SlideRockState {
        const RotationAndRate there = flow(sigma);
        return {there.rotation_rad, there.rate_rad_s};
    };
    Event event = first_event(at);
    if (event.impact) event.sigma = gap_closes(at, event.sigma, step_s);
    const bool whole = !event.impact && !event.fall;
    const SlideRockState end = at(event.sigma);
    if (!std::isfinite(end.rotation_rad) || !std::isfinite(end.rate_rad_s)) return fail(SolverStatus::not_finite);
    const double end_s = end_of_step_s(event.sigma, step_s, whole, until_s);
    record_inside(at, {event.sigma, step_s, end_s}, excitation);
    arrive(end_s, end);
    if (whole) return;
    if (event.impact) impact(excitation);
    if (event.fall) trace_.fall(0, mode_.support, time_s_);
    start_anew(excitation);
}

void SmallRotationRun::impact(const Excitation& excitation) {
    const double ratio = body_.at_impact().sticking_ratio[side_index(mode_.support)], before = state_.rate_rad_s;
    state_ = {0.0, ratio * before};
    trace_.impact({time_s_, 0, {before}, {state_.rate_rad_s}});
    mode_.support = -mode_.support;
    if (std::abs(state_.rate_rad_s) > kRestRate * body_.p_rad_s) return;
    // The rest of the decaying sequence: geometric, two flights at a time.
    const auto flight = [&](int support, double rate) {
        const double down = -support * equation(support, excitation.drive(time_s_)).forcing;
        return down > 0.0 ? 2.0 * rate / down : 0.0;
    };
    const double rate = std::abs(state_.rate_rad_s), back = body_.sticking_ratio[side_index(mode_.support)];
    const double both = ratio * back;
    settled_time_s_ = time_s_;
    if (both < 1.0)
        settled_time_s_ += (flight(mode_.support, rate) + flight(-mode_.support, back * rate)) / (1.0 - both);
    state_ = {};
    mode_ = {};
}

std::unique_ptr<RockingRun::Impl> make_small_rotation_engine(const Specimen& specimen, const SolverOptions& options) {
    return std::make_unique<SmallRotationRun>(specimen, options);
}

}  // namespace topple::solver
