// The sliding and rocking body as a law. Coordinates: [0] rotation from the face under it, rad; [1] slip of the foot
// along +x, m.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "solver/foot_roll.hpp"
#include "solver/laws/foot_fate.hpp"
#include "solver/laws/single_body.hpp"
#include "solver/laws/slide_rock_modes.hpp"

namespace topple::solver {

class SlideRockLaw : public SingleBody<2> {
  public:
    /// kFall: overturned, or of a foot: the next face comes down.
    enum Guard { kImpact, kSlipEnds, kFootLetsGo, kFall };
    static constexpr int kGuards = 4;
    static constexpr GuardSet kHopGuards = guard_bit(kImpact) | guard_bit(kSlipEnds);
    using Values = std::array<double, kGuards>;

    SlideRockLaw(const Specimen& specimen, const SolverOptions& options);

    bool rests() const noexcept { return mode() == SlideRockMode{}; }
    RestBand rest_band(double vertical_m_s2) const noexcept { return solver::rest_band(body_, vertical_m_s2); }
    template <class Moment>
    void begin(Moment& now) noexcept {
        const bool turning = support_ != 0 && (state_.q[0] != 0.0 || state_.q_rate[0] != 0.0);
        const SlideRockMode next = decide_mode(body_, turning ? support_ : 0, here(), now.drive());
        if (next != mode()) enter(next, now);
    }
    template <class Moment>
    void leave_rest(bool above, Moment& now) noexcept {
        marks_ = {};
        const SlideRockMode next = decide_mode(body_, 0, here(), now.drive());
        enter(next == SlideRockMode{} ? solver::leave_rest(body_, above ? 1 : -1) : next, now);
    }

    Row<2> acceleration(const State<2>& state, const Drive& drive) const noexcept {
        const SlideRockResponse r = response(body_, mode(), seen(state), drive);
        return {r.rotation_rad_s2, r.slip_m_s2};
    }
    double step_limit_s(const Row<2>& acceleration, const Excitation&, double, bool fresh) const noexcept;

    GuardSet at_risk(const StepEnd<2>& from, const StepEnd<2>& end, double step_s, const Excitation&) const noexcept;
    void guards(GuardSet wanted, const State<2>& state, double time_s, const Excitation& excitation,
                Values& value) const noexcept;
    bool counts(int guard, const State<2>& state, const Drive& drive) const noexcept;
    int closing_coordinate(int guard) const noexcept {
        return guard == kImpact || (guard == kFall && rolls_on()) ? 0 : -1;
    }
    double closes_at(int guard) const noexcept { return guard == kFall ? support_ * until_rad() : 0.0; }
    template <class Moment>
    void reset(const Events<kGuards>& events, Moment& now) {
        for (const int guard : events) {
            if (guard == kImpact && support_ != 0) return impact(now);
            if (guard == kSlipEnds && slip_ != 0) return end_slip(now);
            if (guard == kFootLetsGo && slip_ == 0) return let_foot_go(now);
            if (guard == kFall) return rolls_on() ? roll_on(now) : fall(now);
        }
    }

    EnergyVerdict verdict(const Drive& still) const noexcept;
    /// A foot that slips may change what is driven outwards.
    EnergyVerdict last_verdict(const Drive& still) const noexcept {
        if (support_ != 0 && slip_ != 0) return EnergyVerdict::undecided;
        if (foot_) return foot_verdict(foot_->body, place(), state_.q_rate[0], still);
        return driven_outwards(acceleration(state_, still)[0]);
    }

    /// Of a foot: the side of the standing face on which the carrying corner is.
    Supports<1> supports() const noexcept {
        if (!foot_ || support_ == 0) return {support_};
        return {static_cast<std::size_t>(face_) + side_index(support_) <= foot_->roll.standing_face() ? -1 : 1};
    }
    void fill(Prediction& prediction, std::size_t) const {
        const bool has_rested = foot_ && standing() > 0 && rests() && prediction.status == SolverStatus::ok;
        if (has_rested) prediction.resting_face = static_cast<std::size_t>(face_);
    }

    double slip_m(const State<2>& state) const noexcept { return state.q[1]; }
    double slip_rate_m_s() const noexcept { return state_.q_rate[1]; }
    Slip slip() const noexcept { return {slip_peak_m_, state_.q[1]}; }
    void arrived() noexcept { slip_peak_m_ = std::max(slip_peak_m_, std::abs(state_.q[1])); }
    BaseReaction reaction(const Drive& drive) const noexcept {
        return pushed_back(response(body_, mode(), here(), drive));
    }
    StandingLoad load() const noexcept { return load_of(state_.q_rate[1]); }

  private:
    static SlideRockState seen(const State<2>& state) noexcept {
        return {state.q[0], state.q_rate[0], state.q[1], state.q_rate[1]};
    }
    SlideRockState here() const noexcept { return seen(state_); }
    SlideRockMode mode() const noexcept { return {support_, slip_}; }
    template <class Moment>
    void enter(SlideRockMode mode, Moment& now) noexcept {
        support_ = mode.support;
        slip_ = mode.slip;
        uplifted_ = uplifted_ || support_ != 0;
        if (rests()) now.settles_in(0.0);
    }
    template <class Moment>
    void go_on(int support, Moment& now) noexcept;
    template <class Moment>
    void impact(Moment& now);
    template <class Moment>
    void end_slip(Moment& now) {
        state_.q_rate[1] = 0.0;
        enter(decide_mode(body_, support_, here(), now.drive()), now);
        now.sample();
    }
    template <class Moment>
    void let_foot_go(Moment& now) {
        const int friction = sign_of(sticking_response(body_, support_, here(), now.drive()).friction_m_s2);
        enter(let_go(body_, support_, here(), friction), now);
        now.sample();
    }
    /// Onto the next face: the corner about which the body turns is now that face's other one.
    template <class Moment>
    void roll_on(Moment& now) {
        stand_on(face_ + support_);
        support_ = -support_;
        marks_ = {};
        impact(now);
    }
    bool slip_may_end(const StepEnd<2>& from, const StepEnd<2>& end, double step_s) const noexcept;
    bool foot_may_let_go(const StepEnd<2>& from, const StepEnd<2>& end, double step_s,
                         const Excitation& excitation) const noexcept;
    FootPlace place() const noexcept { return {static_cast<std::size_t>(face_), support_, state_.q[0]}; }
    void stand_on(int face) noexcept {
        face_ = face;
        body_ = foot_->faces[static_cast<std::size_t>(face)];
    }
    double least_barrier_j(const Drive& still) const noexcept;
    std::optional<double> note_impact(double time_s, double gravity_m_s2) noexcept;
    double remaining_s(const Drive& drive) const noexcept;

    /// Time and rate after an impact; the slip counts as the rate p^2 v / g.
    struct ImpactMark {
        double time_s = 0.0, rate_rad_s = 0.0;
    };
    struct FootFaces {
        FootBody body;
        std::vector<SlidingBody> faces;
        FootRoll roll;
    };
    std::shared_ptr<const FootFaces> foot_;  ///< null: one face
    int face_ = -1;                          ///< of the foot, under the body; -1: it has none
    std::array<ImpactMark, 2> marks_{};      ///< the last impact and the one before it
    int slip_ = 0;                           ///< sign of the foot's slip velocity, 0: it sticks
    bool is_tilted_, uplifted_;
    double slip_peak_m_ = 0.0;
};

/// Into the mode that follows here; a slip that friction wedges is stopped at once
/// (docs/physics.md#sliding-and-rocking).
template <class Moment>
void SlideRockLaw::go_on(int support, Moment& now) noexcept {
    SlideRockMode next = decide_mode(body_, support, here(), now.drive());
    if (is_jammed(body_, next, here(), now.drive())) {
        const SlideRockState stopped = stopped_slip(body_, next.support, here());
        state_.q_rate = {stopped.rate_rad_s, stopped.slip_rate_m_s};
        next = decide_mode(body_, next.support, here(), now.drive());
    }
    enter(next, now);
}

template <class Moment>
void SlideRockLaw::impact(Moment& now) {
    const Drive drive = now.drive();
    state_.q[0] = 0.0;
    const SlideRockImpact after = slide_rock_impact(body_.at_impact(), support_, state_.q_rate[0], state_.q_rate[1]);
    now.impact({now.time_s(), 0, {state_.q_rate[0]}, {after.rate_rad_s}, face_});
    state_.q_rate = {after.rate_rad_s, after.slip_rate_m_s};
    const std::optional<double> dying_away_s = note_impact(now.time_s(), now.gravity_m_s2());
    if (dying_away_s && decide_mode(body_, 0, {0.0, 0.0, state_.q[1], 0.0}, drive) == SlideRockMode{}) {
        state_.q_rate = {};
        enter({}, now);
        now.settles_in(*dying_away_s);
    } else if (after.support != 0 && std::abs(after.rate_rad_s) > kRestRate * body_.p_rad_s) {
        go_on(after.support, now);
    } else {
        support_ = after.support;
        const double remaining = remaining_s(drive);
        state_.q_rate[0] = 0.0;
        go_on(0, now);
        if (rests()) now.settles_in(remaining);
    }
    now.sample();
}

}  // namespace topple::solver
