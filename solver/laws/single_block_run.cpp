#include "solver/laws/single_block_run.hpp"

#include <cmath>
#include <optional>

namespace topple::solver {

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

SingleBlockRun::SingleBlockRun(const Specimen& specimen, const SolverOptions& options, double longest_step_ratio)
    : body_(make_sliding_body(specimen, options.gravity_m_s2)),
      options_(options),
      tilt_rad_(specimen.initial_tilt_rad),
      longest_step_s_(longest_step_ratio / body_.p_rad_s),
      step_next_s_(longest_step_s_),
      trace_(options) {
    if (!specimen.initial_rotation_rad.empty()) state_.rotation_rad = specimen.initial_rotation_rad[0];
    if (!specimen.initial_rotation_rate_rad_s.empty()) state_.rate_rad_s = specimen.initial_rotation_rate_rad_s[0];
    mode_.support = sign_of(state_.rotation_rad != 0.0 ? state_.rotation_rad : state_.rate_rad_s);
    uplifted_ = mode_.support != 0;
    note_rotation(state_.rotation_rad);
}

Drive SingleBlockRun::drive(const BaseAcceleration& base) const noexcept {
    const double gravity = options_.gravity_m_s2 + base.vertical_m_s2;
    return {base.horizontal_m_s2 - gravity * std::sin(tilt_rad_), gravity * std::cos(tilt_rad_)};
}

SlideRockResponse SingleBlockRun::held(double rotation_rad_s2, const Drive& drive) const noexcept {
    if (mode_.support == 0) return {0.0, 0.0, drive.horizontal_m_s2, drive.vertical_m_s2};
    const Vec2 r = centre_from_corner(body_, mode_.support, state_.rotation_rad);
    return held_response(r, state_.rate_rad_s, rotation_rad_s2, drive);
}

bool SingleBlockRun::decided() const noexcept {
    if (fallen()) return true;
    const Drive still = drive({});
    if (!at_rest()) return decided_moving(still);
    const RestBand stays = band(still.vertical_m_s2);
    return still.horizontal_m_s2 <= stays.high_m_s2 && still.horizontal_m_s2 >= stays.low_m_s2;
}

void SingleBlockRun::run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept {
    if (status_ != SolverStatus::ok || !(until_s > time_s_)) return;
    const Excitation excitation(pieces, options_.gravity_m_s2, tilt_rad_);
    if (!std::isfinite(excitation.horizontal_m_s2(time_s_)) || !std::isfinite(excitation.horizontal_m_s2(until_s)))
        return fail(SolverStatus::not_finite);
    if (!fallen()) look_again(excitation);
    if (!started_) sample(time_s_, excitation, state_, true);
    started_ = true;
    while (time_s_ < until_s && status_ == SolverStatus::ok) {
        if (stop_when_decided && (at_rest() ? fallen() || decided() : options_.outcome_only && decided())) return;
        if (at_rest())
            rest(excitation, until_s);
        else
            step(excitation, until_s);
        if (event_count_ <= options_.events_max) continue;
        // Impacts without end: on a base at constant velocity energy may still tell how it ends.
        if (stop_when_decided && decided()) return;
        fail(SolverStatus::event_budget_spent);
    }
}

/// On a base that keeps its velocity, what turns outwards and is driven outwards falls: the weight's moment grows with
/// the rotation. A foot that slips may change that.
void SingleBlockRun::conclude() noexcept {
    if (status_ != SolverStatus::ok || mode_.support == 0 || decided()) return;
    const double driven = mode_.support * contact(drive({})).rotation_rad_s2;
    if (driven > 0.0 && mode_.support * state_.rate_rad_s >= 0.0 && mode_.slip == 0)
        surely_falls_ = mode_.support;
    else
        fail(SolverStatus::undecided);
}

void SingleBlockRun::rest(const Excitation& excitation, double until_s) {
    std::optional<Excitation::Exit> exit;
    if (!fallen()) {
        const double weight = excitation.still_vertical_m_s2();
        const RestBand stays = band(weight);
        exit = excitation.first_exit(time_s_, until_s, stays.low_m_s2, stays.high_m_s2, kForceTolerance * weight);
    }
    const double end_s = exit ? exit->time_s : until_s;
    while (trace_.next_sample_s() <= end_s) sample(trace_.next_sample_s(), excitation, state_, true);
    time_s_ = end_s;
    if (!exit) return;
    leave_rest(exit->above, excitation);
    start_anew(excitation);
}

void SingleBlockRun::start_anew(const Excitation& excitation) {
    step_next_s_ = longest_step_s_;
    sample(time_s_, excitation, state_, false);
    ++event_count_;
}

void SingleBlockRun::sample(double time_s, const Excitation& excitation, const SlideRockState& state, bool grid) {
    if (!trace_.keeps_history()) return;
    trace_.sample(time_s, excitation.base_acceleration_m_s2(time_s),
                  Motion<1>{{state.rotation_rad}, {state.rate_rad_s}}, {mode_.support}, fallen() ? 0 : 1, grid);
    slip_history_m_.push_back(state.slip_m);
}

void SingleBlockRun::arrive(double time_s, const SlideRockState& state) noexcept {
    time_s_ = time_s;
    state_ = state;
    note_rotation(state.rotation_rad);
    slip_peak_m_ = std::max(slip_peak_m_, std::abs(state.slip_m));
}

void SingleBlockRun::fail(SolverStatus status) noexcept {
    status_ = status;
    status_time_s_ = time_s_;
}

double SingleBlockRun::rotation_rad(std::size_t) const noexcept {
    return fallen() ? trace_.fallen_side(0) * kHalfPi : state_.rotation_rad;
}

double SingleBlockRun::rate_rad_s(std::size_t) const noexcept { return fallen() ? 0.0 : state_.rate_rad_s; }

Support SingleBlockRun::support(std::size_t) const noexcept {
    return support_name(fallen() ? trace_.fallen_side(0) : mode_.support);
}

BaseReaction SingleBlockRun::base_reaction(const BaseAcceleration& base) const noexcept {
    if (fallen()) return {};
    const SlideRockResponse on_body = contact(drive(base));
    return {-body_.mass_kg * on_body.friction_m_s2, -body_.mass_kg * on_body.normal_m_s2};
}

StandingLoad SingleBlockRun::standing_load() const noexcept {
    const int support = fallen() ? trace_.fallen_side(0) : mode_.support;
    double velocity_m_s = state_.slip_rate_m_s;
    if (support != 0) velocity_m_s += state_.rate_rad_s * centre_from_corner(body_, support, state_.rotation_rad).z;
    const double momentum = body_.mass_kg * velocity_m_s;
    return fallen() ? StandingLoad{0.0, 0.0, momentum} : StandingLoad{body_.mass_kg, momentum, 0.0};
}

void SingleBlockRun::fill(Prediction& prediction) const {
    prediction.status = status_;
    prediction.status_time_s = status_time_s_;
    const bool slid = slip_peak_m_ >= kSlidingSlip_m;
    prediction.outcome = uplifted_ ? Outcome::rocking : slid ? Outcome::sliding : Outcome::translation;
    if (fallen()) {
        prediction.outcome = Outcome::overturning;
        prediction.overturn_time_s = trace_.first_fall_s();
        prediction.direction = side_name(trace_.fallen_side(0));
        prediction.blocks_overturned = {0};
    } else if (surely_falls_ != 0) {
        prediction.outcome = Outcome::overturning;
        prediction.direction = side_name(surely_falls_);
        prediction.blocks_overturned = {0};
    } else if (at_rest() && (uplifted_ || slip_peak_m_ > 0.0)) {
        prediction.settled_time_s = settled_time_s_;
    }
    fill_from_trace(trace_, 1, prediction);
    for (std::size_t i = 0; i < prediction.history.size(); ++i) prediction.history[i].slip_m = slip_history_m_[i];
}

}  // namespace topple::solver
