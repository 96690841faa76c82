// What the laws of one body share: how it stands, and what it asks of the base.
#pragma once

#include "solver/engine/engine.hpp"
#include "solver/engine/guard_risk.hpp"
#include "solver/laws/sliding_body.hpp"

namespace topple::solver {

/// Coordinates: q[0] rotation, rad, of a foot from the face under it; further ones as the law says. The rotation has
/// the sign of the corner on which the body stands.
template <int Size>
class SingleBody {
  public:
    static constexpr int kSize = Size, kBlocks = 1;
    static constexpr double kTolerance = 1e-12;
    static constexpr bool kPlainSteppers = false;
    static constexpr GuardSet kHeldGuards = 0;

    State<Size>& state() noexcept { return state_; }
    const State<Size>& state() const noexcept { return state_; }
    const SlidingBody& body() const noexcept { return body_; }
    int size() const noexcept { return Size; }
    double p_1_s() const noexcept { return body_.p_rad_s; }
    int standing() const noexcept { return is_fallen_ ? 0 : 1; }
    bool is_open() const noexcept { return support_ != 0; }

    Row<1> rotations(const State<Size>& state) const noexcept { return {state.q[0] + body_.slope_rad}; }
    Row<1> rates(const State<Size>& state) const noexcept { return {state.q_rate[0]}; }
    Supports<1> supports() const noexcept { return {support_}; }

  protected:
    SingleBody(const Specimen& specimen, const SolverOptions& options)
        : body_(make_sliding_body(specimen, options.gravity_m_s2)) {
        if (!specimen.initial_rotation_rad.empty()) state_.q[0] = specimen.initial_rotation_rad[0];
        if (!specimen.initial_rotation_rate_rad_s.empty()) state_.q_rate[0] = specimen.initial_rotation_rate_rad_s[0];
        support_ = sign_of(state_.q[0] != 0.0 ? state_.q[0] : state_.q_rate[0]);
    }

    double outward_rate() const noexcept { return support_ * state_.q_rate[0]; }
    /// Of the rotation alone: positive until the body comes down, or falls.
    double gap(const State<Size>& state) const noexcept { return support_ * state.q[0]; }
    /// Positive until the body has overturned, or comes down on the next face of a foot.
    double to_fall(const State<Size>& state) const noexcept { return until_rad() - support_ * state.q[0]; }
    double until_rad() const noexcept { return body_.until_rad[side_index(support_)]; }
    bool rolls_on() const noexcept { return body_.rolls_on[side_index(support_)]; }
    bool may_come_down(const StepEnd<Size>& from, const StepEnd<Size>& end, double step_s) const noexcept {
        return support_ != 0 && gap_may_close(from, end, 0, support_, step_s);
    }
    bool may_fall(const StepEnd<Size>& from, const StepEnd<Size>& end, double step_s) const noexcept {
        return support_ != 0 && farthest_sums(from, end, 1, step_s)[0] >= until_rad();
    }
    double hop_limit(const Row<Size>& acceleration, double otherwise_s) const noexcept {
        return hop_limit_s(outward_rate(), -support_ * acceleration[0], otherwise_s);
    }
    template <class Moment>
    void fall(Moment& now) {
        now.falls(0, support_);
        is_fallen_ = true;
        now.sample();
    }
    /// Of a foot that does not slip while the body turns with this acceleration.
    SlideRockResponse held(double rotation_rad_s2, const Drive& drive) const noexcept {
        if (support_ == 0) return {0.0, 0.0, drive.horizontal_m_s2, drive.vertical_m_s2};
        const Vec2 r = centre_from_corner(body_, support_, state_.q[0]);
        return held_response(r, state_.q_rate[0], rotation_rad_s2, drive);
    }
    BaseReaction pushed_back(const SlideRockResponse& on_body) const noexcept {
        return {-body_.mass_kg * on_body.friction_m_s2, -body_.mass_kg * on_body.normal_m_s2};
    }
    StandingLoad load_of(double slip_rate_m_s) const noexcept {
        double velocity_m_s = slip_rate_m_s;
        if (support_ != 0) velocity_m_s += state_.q_rate[0] * centre_from_corner(body_, support_, state_.q[0]).z;
        const double momentum = body_.mass_kg * velocity_m_s;
        return is_fallen_ ? StandingLoad{0.0, 0.0, momentum} : StandingLoad{body_.mass_kg, momentum, 0.0};
    }
    /// On a base that keeps its velocity, what turns outwards and is driven outwards falls: the weight's moment grows
    /// with the rotation.
    EnergyVerdict driven_outwards(double acceleration_rad_s2) const noexcept {
        if (support_ == 0) return EnergyVerdict::stable;
        if (rolls_on()) return EnergyVerdict::undecided;
        if (!(support_ * acceleration_rad_s2 > 0.0 && outward_rate() >= 0.0)) return EnergyVerdict::undecided;
        return support_ < 0 ? EnergyVerdict::falls_left : EnergyVerdict::falls_right;
    }
    /// Until a body that leaves this corner at `rate_rad_s` comes down, small rotations under a steady drive.
    double flight_s(int support, double rate_rad_s, const Drive& drive) const noexcept {
        const double down = closing_rad_s2(body_, support, drive);
        return down > 0.0 ? 2.0 * rate_rad_s / down : 0.0;
    }
    /// Takes the body to rest in full contact.
    void stand_still() noexcept {
        state_.q[0] = state_.q_rate[0] = 0.0;
        support_ = 0;
    }

    SlidingBody body_;
    State<Size> state_;
    int support_ = 0;  ///< corner about which the body turns: -1 left, +1 right, 0 full contact

  private:
    bool is_fallen_ = false;
};

/// A law whose foot never slips: the rotation is its only coordinate, and full contact is rest. `Law` derives from it.
template <class Law>
class RockingBody : public SingleBody<1> {
  public:
    bool rests() const noexcept { return support_ == 0; }
    template <class Moment>
    void begin(Moment&) noexcept {}
    EnergyVerdict last_verdict(const Drive& still) const noexcept { return driven_outwards(rotation_rad_s2(still)); }
    BaseReaction reaction(const Drive& drive) const noexcept {
        return pushed_back(held(rotation_rad_s2(drive), drive));
    }
    StandingLoad load() const noexcept { return load_of(0.0); }

  protected:
    using SingleBody::SingleBody;

  private:
    double rotation_rad_s2(const Drive& drive) const noexcept {
        return static_cast<const Law&>(*this).acceleration(state_, drive)[0];
    }
};

}  // namespace topple::solver
