// One block on a base with friction whose corners bounce: flat, on a corner, or in flight, and what impacts of one or
// both corners do (corner_impact.hpp). docs/physics/multiple_impact.md.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "solver/engine/engine.hpp"
#include "solver/laws/corner_impact.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

/// Corners that approach or leave more slowly than this stay in contact after an impact. A parameter of the model: it
/// decides how long a bouncing corner lives.
inline constexpr double kCornerCloses_m_s = 1e-5;
inline constexpr double kCornerTouches_m = 1e-9;

/// Coordinates: mass centre relative to the base, [0] x and [1] z, m; [2] rotation, rad.
class MultipleImpactLaw {
  public:
    enum Guard { kLeftLands, kRightLands, kLifts, kSlipBegins, kSlipEnds, kFall };
    static constexpr int kSize = 3, kBlocks = 1, kGuards = 6;
    static constexpr double kTolerance = 1e-12;
    static constexpr bool kPlainSteppers = false;
    static constexpr GuardSet kHopGuards = guard_bit(kLeftLands) | guard_bit(kRightLands);
    static constexpr GuardSet kHeldGuards = guard_bit(kLifts) | guard_bit(kSlipBegins);
    using Values = std::array<double, kGuards>;

    MultipleImpactLaw(const Specimen& specimen, const SolverOptions& options);

    State<3>& state() noexcept { return state_; }
    const State<3>& state() const noexcept { return state_; }
    int size() const noexcept { return 3; }
    double p_1_s() const noexcept { return p_1_s_; }
    int standing() const noexcept { return is_fallen_ ? 0 : 1; }
    bool rests() const noexcept { return contact_ == Contact::flat && slip_ == 0; }
    bool is_open() const noexcept { return contact_ != Contact::flat; }
    RestBand rest_band(double vertical_m_s2) const noexcept;
    template <class Moment>
    void begin(Moment& now) {
        if (contact_ == Contact::flat && slip_ == 0.0) return;
        for (std::size_t j = 0; j < 2; ++j)  // a run may begin with an impact
            if (open(j) && gap_m(state_, j) <= kCornerTouches_m) land(j, now);
        if (contact_ == Contact::flight || !begun_) set_contacts(now.drive());
        begun_ = true;
    }
    template <class Moment>
    void leave_rest(bool above, Moment& now) {
        // A block pushed towards +x stays behind: it slides towards -x, or leans back on its left corner.
        const double towards = above ? -1.0 : 1.0;
        if (friction_.static_ratio < width_m_ / height_m_)
            slip_ = towards;
        else
            stand_on(towards < 0.0 ? Contact::left : Contact::right, now.drive());
    }

    Row<3> acceleration(const State<3>& state, const Drive& drive) const noexcept;
    double step_limit_s(const Row<3>& acceleration, const Excitation&, double, bool) const noexcept;
    GuardSet at_risk(const StepEnd<3>&, const StepEnd<3>&, double, const Excitation&) const noexcept;
    void guards(GuardSet, const State<3>& state, double time_s, const Excitation& excitation,
                Values& value) const noexcept;
    bool counts(int guard, const State<3>& state, const Drive& drive) const noexcept;
    int closing_coordinate(int) const noexcept { return -1; }
    template <class Moment>
    void reset(const Events<kGuards>& events, Moment& now) {
        for (const int guard : events) {
            if (guard == kFall) {
                now.falls(0, state_.q[2] < 0.0 ? -1 : 1);
                is_fallen_ = true;
                now.sample();
                return;
            }
            if (guard == kLeftLands || guard == kRightLands) land(guard == kRightLands ? 1 : 0, now);
            if (guard == kLifts) lift();
            if (guard == kSlipBegins) begin_slip(now.drive());
            if (guard == kSlipEnds) end_slip(now.drive());
        }
        if (rests()) now.settles_in(0.0);
        now.sample();
    }

    EnergyVerdict verdict(const Drive& still) const noexcept;
    EnergyVerdict last_verdict(const Drive&) const noexcept { return EnergyVerdict::undecided; }
    Row<1> rotations(const State<3>& state) const noexcept { return {state.q[2]}; }
    Row<1> rates(const State<3>& state) const noexcept { return {state.q_rate[2]}; }
    Supports<1> supports() const noexcept;
    BaseReaction reaction(const Drive& drive) const noexcept;
    StandingLoad load() const noexcept;
    /// How far the lower corner, or the face, is from where it stood, along +x; in flight as well.
    double slip_m(const State<3>& state) const noexcept {
        const std::size_t lower = state.q[2] < 0.0 ? 0 : 1;
        return state.q[0] + arms(state)[lower].x_m + (lower == 0 ? 0.5 : -0.5) * width_m_;
    }
    double slip_rate_m_s() const noexcept {
        return at_corner(velocity(state_), arms(state_)[state_.q[2] < 0.0 ? 0 : 1]).tangential_m_s;
    }
    Slip slip() const noexcept { return {slip_peak_m_, slip_m(state_)}; }
    void arrived() noexcept { slip_peak_m_ = std::max(slip_peak_m_, std::abs(slip_m(state_))); }
    void fill(Prediction& prediction, std::size_t blocks) const;

  private:
    enum class Contact { left, flat, right, flight };
    /// Accelerations and forces per mass of the base on the block.
    struct Response {
        Row<3> acceleration{};
        double normal_m_s2 = 0.0, tangential_m_s2 = 0.0;
    };

    std::array<CornerArm, 2> arms(const State<3>& state) const noexcept;
    double gap_m(const State<3>& state, std::size_t corner) const noexcept;
    static PlanarVelocity velocity(const State<3>& state) noexcept {
        return {state.q_rate[0], state.q_rate[1], state.q_rate[2]};
    }
    std::size_t corner() const noexcept { return contact_ == Contact::right ? 1 : 0; }
    bool on_corner() const noexcept { return contact_ == Contact::left || contact_ == Contact::right; }
    Response on_corner_response(const State<3>& state, const Drive& drive, double slip) const noexcept;
    Response response(const State<3>& state, const Drive& drive) const noexcept;
    double slack_m_s2(const State<3>& state, const Drive& drive) const noexcept;
    template <class Moment>
    void land(std::size_t corner, Moment& now) {
        if (!(at_corner(velocity(state_), arms(state_)[corner]).normal_m_s < 0.0)) return;
        const Row<3> before = state_.q_rate;
        if (at_corner(velocity(state_), arms(state_)[corner]).normal_m_s < -kCornerCloses_m_s) {
            strike(corner);
            now.impact({now.time_s(), 0, {before[2]}, {state_.q_rate[2]}});
            if (centres_.size() < impacts_max_)
                centres_.push_back({before[0], before[1], state_.q_rate[0], state_.q_rate[1]});
        }
        set_contacts(now.drive());
    }
    void strike(std::size_t corner) noexcept;
    void begin_slip(const Drive& drive) noexcept;
    void end_slip(const Drive& drive) noexcept;
    void lift() noexcept;
    double slip_velocity_m_s(const State<3>& state) const noexcept;
    double slip_acceleration(const State<3>& state, const Row<3>& acceleration) const noexcept;
    bool open(std::size_t corner) const noexcept {
        if (contact_ == Contact::flat) return false;
        return contact_ == Contact::flight || contact_ != (corner == 0 ? Contact::left : Contact::right);
    }
    void set_contacts(const Drive& drive) noexcept;
    void stand_on(Contact contact, const Drive& drive) noexcept;
    void place_flat(const Drive& drive) noexcept;
    void choose_slip(const Drive& drive) noexcept;

    ImpactBody body_;
    ImpactRule rule_;
    Friction friction_;
    double width_m_, height_m_, p_1_s_;
    State<3> state_{};
    Contact contact_ = Contact::flat;
    double slip_ = 0.0;  ///< sign of the velocity of the corner, or of the face, that slips; 0: it sticks
    bool is_fallen_ = false, uplifted_ = false, begun_ = false;
    double slip_peak_m_ = 0.0;
    std::size_t impacts_max_;
    std::vector<std::array<double, 4>> centres_;  ///< x and z before and after every impact that is kept, m/s
};

}  // namespace topple::solver
