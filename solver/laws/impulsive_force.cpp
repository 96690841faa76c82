// The block whose impacts are a force concentrated about zero rotation instead of a jump of its rate, as a law.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "solver/engine/engine_run.hpp"
#include "solver/laws/single_body.hpp"
#include "solver/stack/energy_verdict.hpp"

namespace topple::solver {
namespace {

constexpr double kStep = 0.2;         // longest step, times 1/p
constexpr double kStepOfWidth = 0.5;  // longest way in a step inside the layer, of the bell's width
constexpr double kLayerWidths = 6.0;  // beyond them the bell is below 1e-15 of its middle

/// theta'' = (rocking about the corner that touches) - A theta' |theta'| d(theta), A = -ln r, d a bell of area 1 and
/// width n alpha: Prieto et al. (65) without its factor sin(alpha)/alpha (docs/physics.md#impulsive-force). The force
/// is felt within the layer |theta| < 6 n alpha. Coordinate: [0] rotation, rad.
class ImpulsiveForceLaw : public RockingBody<ImpulsiveForceLaw> {
  public:
    enum Guard { kEnters, kCrosses, kLeaves, kFall };
    static constexpr int kGuards = 4;
    static constexpr double kTolerance = 1e-13;
    static constexpr GuardSet kHopGuards = guard_bit(kCrosses);

    ImpulsiveForceLaw(const Specimen& specimen, const SolverOptions& options)
        : RockingBody(specimen, options), block_(make_stack_state<1>(specimen, options.gravity_m_s2)) {
        const auto alpha = [&](std::size_t side) { return std::atan2(body_.reach_m[side], body_.height_m[side]); };
        width_rad_ = options.impulse_width_ratio * std::min(alpha(0), alpha(1));
        // A block that is set turning outwards has no impact behind it.
        inside_ = std::abs(state_.q[0]) < layer_rad() && outward_rate() <= 0.0;
        rate_before_rad_s_ = state_.q_rate[0];
        if (inside_ && support_ != 0) draw_amplitude();
    }

    RestBand rest_band(double vertical_m_s2) const noexcept { return block_.rest_band(vertical_m_s2); }
    template <class Moment>
    void leave_rest(bool above, Moment&) noexcept {
        support_ = above ? -1 : 1;
        inside_ = true;
        draw_amplitude();
    }

    Row<1> acceleration(const State<1>& state, const Drive& drive) const noexcept {
        const double free = sticking_response(body_, support_, {state.q[0], state.q_rate[0]}, drive).rotation_rad_s2;
        if (!inside_ || support_ == 0) return {free};
        const double x = state.q[0] / width_rad_;
        const double bell = std::exp(-x * x) / (width_rad_ * std::sqrt(std::numbers::pi));
        return {free - amplitude_ * state.q_rate[0] * std::abs(state.q_rate[0]) * bell};
    }
    double step_limit_s(const Row<1>& acceleration, const Excitation&, double, bool) const noexcept {
        const double limit = kStep / body_.p_rad_s, rate = std::abs(state_.q_rate[0]);
        if (!inside_) return hop_limit(acceleration, limit);
        const double falling = std::sqrt(std::abs(acceleration[0]) * width_rad_);
        return std::min(limit, kStepOfWidth * width_rad_ / (rate + falling));
    }

    GuardSet at_risk(const StepEnd<1>& from, const StepEnd<1>& end, double step_s, const Excitation&) const noexcept {
        GuardSet risk = may_come_down(from, end, step_s) ? guard_bit(kCrosses) : 0;
        risk |= guard_bit(inside_ ? kLeaves : kEnters);
        return may_fall(from, end, step_s) ? risk | guard_bit(kFall) : risk;
    }
    void guards(GuardSet, const State<1>& state, double, const Excitation&,
                std::array<double, 4>& value) const noexcept {
        value = {gap(state) - layer_rad(), gap(state), layer_rad() - gap(state), to_fall(state)};
    }
    bool counts(int guard, const State<1>& state, const Drive&) const noexcept {
        const double out = support_ * state.q_rate[0];
        return guard == kEnters || guard == kCrosses ? out < 0.0 : out > 0.0;
    }
    int closing_coordinate(int guard) const noexcept { return guard == kCrosses ? 0 : -1; }
    template <class Moment>
    void reset(const Events<kGuards>& events, Moment& now) {
        for (const int guard : events) {
            if (guard == kFall) return fall(now);
            if (guard == kCrosses) {
                cross(now);
            } else {
                inside_ = guard == kEnters;
                if (inside_) rate_before_rad_s_ = state_.q_rate[0], draw_amplitude();
                if (!inside_) note_impact(state_.q_rate[0], now);
            }
        }
        now.sample();
    }

    /// Energy only falls, so what cannot pass a barrier without loss never will.
    EnergyVerdict verdict(const Drive& still) const noexcept {
        const auto by =
            single_block_verdict(block_.stack.block[0], support_, state_.q[0], state_.q_rate[0], still, {1, 1});
        return by == EnergyVerdict::stable ? by : EnergyVerdict::undecided;
    }

  private:
    double layer_rad() const noexcept { return kLayerWidths * width_rad_; }
    void draw_amplitude() noexcept { amplitude_ = -std::log(body_.at_impact().sticking_ratio[side_index(support_)]); }
    template <class Moment>
    void note_impact(double rate_after_rad_s, Moment& now) {
        if (crossed_s_ >= 0.0) now.impact({crossed_s_, 0, {rate_before_rad_s_}, {rate_after_rad_s}});
        crossed_s_ = -1.0;
    }
    /// The other corner takes over, at the same rate: the force alone brakes. A hop that then stays inside the layer
    /// says nothing: the sequence ends as it would with an instantaneous force.
    template <class Moment>
    void cross(Moment& now) {
        note_impact(state_.q_rate[0], now);
        crossed_s_ = now.time_s();
        support_ = -support_;
        state_.q[0] = 0.0;
        const double down = closing_rad_s2(body_, support_, now.drive());
        if (!(down > 0.0 && state_.q_rate[0] * state_.q_rate[0] < 2.0 * down * layer_rad())) return;
        const double ratio = std::exp(-amplitude_), rate = std::abs(state_.q_rate[0]) * std::sqrt(ratio);
        note_impact(0.0, now);
        now.settles_in(decaying_sequence_s(
            flight_s(support_, rate, now.drive()) + flight_s(-support_, ratio * rate, now.drive()), ratio * ratio));
        stand_still();
        inside_ = false;
    }

    StackState<1> block_;  // threshold and barriers
    double width_rad_ = 0.0;
    double amplitude_ = 0.0;                             // A of the present passage of the layer
    bool inside_ = false;                                // the layer
    double rate_before_rad_s_ = 0.0, crossed_s_ = -1.0;  // of a passage not yet ended; crossed_s_ < 0: none
};

}  // namespace

std::unique_ptr<RunImpl> make_impulsive_force_run(const Specimen& specimen, const SolverOptions& options) {
    return make_run(ImpulsiveForceLaw(specimen, options), options, specimen.initial_tilt_rad);
}

}  // namespace topple::solver
