// The body on a polygon foot as a law: on one of its faces, or turning about one of its corners.
// Coordinate: [0] rotation from the face last touched, rad, so that the smallest hops keep all their digits.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "solver/engine/engine_run.hpp"
#include "solver/engine/guard_risk.hpp"
#include "solver/laws/foot_fate.hpp"
#include "solver/laws/sliding_body.hpp"
#include "solver/stack/contact_watch.hpp"

namespace topple::solver {
namespace {

/// Guards: the body comes back to its face, or it turns on to the next one (at the ends: it has overturned).
class FootLaw {
  public:
    enum Guard { kBack, kOn };
    static constexpr int kSize = 1, kBlocks = 1, kGuards = 2;
    static constexpr double kTolerance = 1e-12;
    static constexpr bool kPlainSteppers = true;
    static constexpr GuardSet kHopGuards = guard_bit(kBack), kHeldGuards = 0;

    FootLaw(const Specimen& specimen, const SolverOptions& options)
        : body_(std::make_shared<const FootBody>(make_foot_body(specimen, options.gravity_m_s2))),
          watch_(!options.outcome_only,
                 specimen.friction ? specimen.friction->static_ratio : std::numeric_limits<double>::infinity()),
          still_(Excitation({}, options.gravity_m_s2, specimen.initial_tilt_rad).drive(0.0)) {
        const double rotation = specimen.initial_rotation_rad.empty() ? 0.0 : specimen.initial_rotation_rad[0];
        const auto& rates = specimen.initial_rotation_rate_rad_s;
        state_.q_rate[0] = rates.empty() ? 0.0 : rates[0];
        const FootPlace place = place_at(*body_, rotation, state_.q_rate[0]);
        state_.q[0] = place.from_face_rad;
        stand(place.face, place.side);
    }

    State<1>& state() noexcept { return state_; }
    const State<1>& state() const noexcept { return state_; }
    int size() const noexcept { return 1; }
    double p_1_s() const noexcept { return body_->p_rad_s; }
    int standing() const noexcept { return is_fallen_ ? 0 : 1; }
    bool rests() const noexcept { return side_ == 0; }
    bool is_open() const noexcept { return side_ != 0; }

    /// While the centre of pressure lies on the face.
    RestBand rest_band(double vertical_m_s2) const noexcept {
        const FootBody::Face& face = body_->faces[face_];
        return {vertical_m_s2 * face.arm_m[1] / face.height_m, vertical_m_s2 * face.arm_m[0] / face.height_m};
    }
    template <class Moment>
    void begin(Moment&) noexcept {}
    template <class Moment>
    void leave_rest(bool above, Moment&) noexcept {
        stand(face_, above ? -1 : 1);
    }

    Row<1> acceleration(const State<1>& state, const Drive& drive) const noexcept {
        if (side_ == 0) return {0.0};
        return {turning_rad_s2(turned(arm_m_, std::sin(state.q[0]), std::cos(state.q[0])), drive)};
    }
    double step_limit_s(const Row<1>& acceleration, const Excitation&, double, bool fresh) const noexcept {
        const double limit = kStep / body_->p_rad_s;
        return fresh && state_.q[0] == 0.0 ? hop_limit_s(side_ * state_.q_rate[0], -side_ * acceleration[0], limit)
                                           : limit;
    }

    GuardSet at_risk(const StepEnd<1>& from, const StepEnd<1>& end, double step_s, const Excitation&) const noexcept {
        if (side_ == 0) return 0;
        GuardSet risk = gap_may_close(from, end, 0, side_, step_s) ? guard_bit(kBack) : 0;
        StepEnd<1> ahead_from = from, ahead_end = end;
        ahead_from.state.q[0] -= side_ * to_next_rad_;
        ahead_end.state.q[0] -= side_ * to_next_rad_;
        return gap_may_close(ahead_from, ahead_end, 0, -side_, step_s) ? risk | guard_bit(kOn) : risk;
    }
    void guards(GuardSet, const State<1>& state, double, const Excitation&,
                std::array<double, 2>& value) const noexcept {
        value = {side_ * state.q[0], to_next_rad_ - side_ * state.q[0]};
    }
    bool counts(int guard, const State<1>& state, const Drive&) const noexcept {
        return (guard == kBack ? -side_ : side_) * state.q_rate[0] > 0.0;
    }
    int closing_coordinate(int) const noexcept { return 0; }
    double closes_at(int guard) const noexcept { return guard == kBack ? 0.0 : side_ * to_next_rad_; }
    template <class Moment>
    void reset(const Events<kGuards>& events, Moment& now);

    EnergyVerdict verdict(const Drive& still) const noexcept {
        return foot_verdict(*body_, place(), state_.q_rate[0], still);
    }
    EnergyVerdict last_verdict(const Drive&) const noexcept { return EnergyVerdict::undecided; }

    Row<1> rotations(const State<1>& state) const noexcept { return {body_->faces[face_].slope_rad + state.q[0]}; }
    Row<1> rates(const State<1>& state) const noexcept { return {state.q_rate[0]}; }
    /// Left or right of the middle of the face on which the body stands at rotation 0.
    Supports<1> supports() const noexcept {
        if (side_ == 0) return {0};
        return {face_ + (side_ > 0 ? 1 : 0) <= body_->stands ? -1 : 1};
    }
    BaseReaction reaction(const Drive& drive) const noexcept {
        SlideRockResponse on_body{0.0, 0.0, drive.horizontal_m_s2, drive.vertical_m_s2};
        if (side_ != 0) on_body = held_response(arm_now_m(), state_.q_rate[0], acceleration(state_, drive)[0], drive);
        return {-body_->mass_kg * on_body.friction_m_s2, -body_->mass_kg * on_body.normal_m_s2};
    }
    StandingLoad load() const noexcept {
        const double momentum = side_ == 0 ? 0.0 : body_->mass_kg * state_.q_rate[0] * arm_now_m().z;
        return is_fallen_ ? StandingLoad{0.0, 0.0, momentum} : StandingLoad{body_->mass_kg, momentum, 0.0};
    }

    void watch_rest(const Excitation& excitation, double from_s, double until_s) noexcept {
        watch_.rest(1, excitation, from_s, until_s);
    }
    void watch_step(const StepEnd<1>& from, double time_s, bool fresh, const Excitation& excitation) noexcept {
        if (!watch_.is_on()) return;
        const StackGeometry<1> block = as_block(face_);
        watch_.step(block, make_support_table(block, {side_}), from, {time_s, state_, {}}, {fresh, false}, excitation);
    }
    void fill(Prediction& prediction, std::size_t) const {
        if (watch_.is_on()) prediction.friction_demand = {watch_.friction_demand(0)};
        prediction.left_validity = watch_.breach();
        if (is_fallen_ || prediction.status != SolverStatus::ok) return;
        prediction.resting_face =
            rests() ? std::optional(face_) : foot_resting_face(*body_, place(), state_.q_rate[0], still_);
    }

  private:
    static constexpr double kStep = 0.5;  // longest, times 1/p

    void stand(std::size_t face, int side) noexcept {
        face_ = face;
        side_ = side;
        arm_m_ = body_->arm_m(face, side);
        inertia_m2_ = body_->corner(face, side).inertia_m2;
        to_next_rad_ = body_->faces[face].to_next_rad[side_index(side)];
    }
    Vec2 arm_now_m() const noexcept { return turned(arm_m_, std::sin(state_.q[0]), std::cos(state_.q[0])); }
    /// Of a body whose mass centre lies at r from its corner.
    double turning_rad_s2(Vec2 r, const Drive& drive) const noexcept {
        return (r.x * drive.vertical_m_s2 - r.z * drive.horizontal_m_s2) / inertia_m2_;
    }
    FootPlace place() const noexcept { return {face_, side_, state_.q[0]}; }
    StackGeometry<1> as_block(std::size_t face) const noexcept {
        StackGeometry<1> block;
        block.block[0] = body_->on_face(face);
        return block;
    }
    template <class Moment>
    void strike(std::size_t face, int way, Moment& now);
    template <class Moment>
    void watch_impact(std::size_t face, int way, double before_rad_s, double after_rad_s, const Moment& now) noexcept;
    template <class Moment>
    void settle(double rate_rad_s, int way, Moment& now);
    double remaining_s(double rate_rad_s, int way, const Drive& drive) const noexcept;

    std::shared_ptr<const FootBody> body_;
    ContactWatch<1> watch_;
    Drive still_;  // of a base at constant velocity
    State<1> state_;
    std::size_t face_ = 0;  // from which the rotation is measured
    int side_ = 0;          // corner of that face about which the body turns: -1, +1; 0: it rests on the face
    Vec2 arm_m_;            // of that corner, in the axes of the face
    double inertia_m2_ = 1.0, to_next_rad_ = 0.0;
    bool is_fallen_ = false;
};

template <class Moment>
void FootLaw::reset(const Events<kGuards>& events, Moment& now) {
    if (*events.begin() == kBack) return strike(face_, -side_, now);
    if (body_->has_next(face_, side_)) return strike(face_ + static_cast<std::size_t>(side_), side_, now);
    now.falls(0, side_);
    is_fallen_ = true;
    now.sample();
}

/// The corner behind leaves the base and the one ahead takes over, when the body turns onto a face in direction `way`.
template <class Moment>
void FootLaw::strike(std::size_t face, int way, Moment& now) {
    now.sample();
    const double before = state_.q_rate[0], after = body_->faces[face].ratio[way > 0 ? 0 : 1] * before;
    watch_impact(face, way, before, after, now);
    stand(face, way);
    state_.q[0] = 0.0;
    state_.q_rate[0] = after;
    now.impact({now.time_s(), 0, {before}, {after}, static_cast<int>(face)});
    if (std::abs(after) <= kRestRate * body_->p_rad_s) settle(after, way, now);
    now.sample();
}

template <class Moment>
void FootLaw::watch_impact(std::size_t face, int way, double before_rad_s, double after_rad_s,
                           const Moment& now) noexcept {
    if (!watch_.is_on()) return;
    const StackGeometry<1> block = as_block(face);
    const State<1> flat{{0.0}, {before_rad_s}};
    watch_.impact(block, make_support_table(block, {-way}), make_support_table(block, {after_rad_s != 0.0 ? way : 0}),
                  attitude(flat, 1), {after_rad_s}, {now.time_s(), body_->p_rad_s});
}

/// Hardly a rate is left: it lies on the face. Where it cannot rest there, the engine lets it leave at once.
template <class Moment>
void FootLaw::settle(double rate_rad_s, int way, Moment& now) {
    const double remaining = remaining_s(rate_rad_s, way, now.drive());
    state_.q_rate[0] = 0.0;
    stand(face_, 0);
    now.settles_in(remaining);
}

/// Of the decaying sequence of impacts on the face that the body leaves at this rate: at small rotations each pair of
/// hops repeats the last one scaled by the product of the two ratios.
double FootLaw::remaining_s(double rate_rad_s, int way, const Drive& drive) const noexcept {
    if (rate_rad_s == 0.0) return 0.0;
    const auto hop_s = [&](int side, double rate) {
        const Vec2 r = body_->arm_m(face_, side);
        const double down = -side * (r.x * drive.vertical_m_s2 - r.z * drive.horizontal_m_s2);
        return down > 0.0 ? 2.0 * std::abs(rate) * body_->corner(face_, side).inertia_m2 / down : 0.0;
    };
    const auto& ratio = body_->faces[face_].ratio;
    const double back = ratio[way > 0 ? 1 : 0], out = ratio[way > 0 ? 0 : 1];  // of the impact that ends a hop on `way`
    if (back == 0.0) return hop_s(way, rate_rad_s);
    return decaying_sequence_s(hop_s(way, rate_rad_s) + hop_s(-way, back * rate_rad_s), back * out);
}

}  // namespace

std::unique_ptr<RunImpl> make_foot_run(const Specimen& specimen, const SolverOptions& options) {
    return make_run(FootLaw(specimen, options), options, specimen.initial_tilt_rad);
}

}  // namespace topple::solver
