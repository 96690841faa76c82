// The linearised or quasi-linear block as a law: closed forms between events. Coordinate: [0] rotation, rad.
#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/engine/engine_run.hpp"
#include "solver/laws/single_body.hpp"
#include "solver/laws/small_rotation.hpp"

namespace topple::solver {
namespace {

constexpr double kStep = 0.25;       // longest step, times 1/p
constexpr double kGapNoise = 1e-14;  // rounding of a gap that opens like t^3

bool is_constant(const MotionPiece* piece) noexcept {
    return piece == nullptr || (piece->harmonics.empty() && piece->polynomial[1] == 0.0 &&
                                piece->polynomial[2] == 0.0 && piece->polynomial[3] == 0.0);
}

class SmallRotationLaw : public RockingBody<SmallRotationLaw> {
  public:
    enum Guard { kImpact, kFall };
    static constexpr int kGuards = 2;
    static constexpr GuardSet kHopGuards = guard_bit(kImpact);

    SmallRotationLaw(const Specimen& specimen, const SolverOptions& options)
        : RockingBody(specimen, options), quasi_linear_(options.model == Model::quasi_linear) {
        for (std::size_t side = 0; side < 2; ++side) {
            const double x = body_.reach_m[side], z = body_.height_m[side], radius = std::hypot(x, z);
            corner_[side] = {std::atan2(x, z),
                             body_.mass_kg * radius / (body_.inertia_kg_m2 + body_.mass_kg * radius * radius)};
        }
    }

    /// Each equation has its own threshold.
    RestBand rest_band(double vertical_m_s2) const noexcept {
        const auto threshold = [&](std::size_t side) {
            const double alpha = corner_[side].alpha_rad;
            return vertical_m_s2 * (quasi_linear_ ? std::tan(alpha) : alpha);
        };
        return {-threshold(1), threshold(0)};
    }
    template <class Moment>
    void leave_rest(bool above, Moment&) noexcept {
        support_ = above ? -1 : 1;
    }

    Row<1> acceleration(const State<1>& state, const Drive& drive) const noexcept {
        return {support_ == 0 ? 0.0 : equation(support_, drive).acceleration(state.q[0])};
    }
    /// Coefficients that vary in time (thesis 3.37; any vertical motion) have no solution in elementary functions.
    std::optional<SmallRotationFlow> flow(const Excitation& excitation, double time_s) const noexcept {
        const MotionPiece* piece = excitation.horizontal_piece();
        if (excitation.moves_vertically() || (quasi_linear_ && !is_constant(piece))) return std::nullopt;
        const RotationAndRate from{state_.q[0], state_.q_rate[0]};
        const Drive drive = excitation.drive(time_s);
        if (quasi_linear_) return SmallRotationFlow(ConstantFlow{equation(support_, drive), time_s, from});
        return SmallRotationFlow(LinearisedFlow(corner_[side_index(support_)], support_, drive.vertical_m_s2,
                                                excitation.steady_m_s2(), piece, time_s, from));
    }
    double step_limit_s(const Row<1>& acceleration, const Excitation&, double, bool) const noexcept {
        return hop_limit(acceleration, kStep / body_.p_rad_s);
    }

    GuardSet at_risk(const StepEnd<1>& from, const StepEnd<1>& end, double step_s, const Excitation&) const noexcept {
        return (may_come_down(from, end, step_s) ? guard_bit(kImpact) : 0) |
               (may_fall(from, end, step_s) ? guard_bit(kFall) : 0);
    }
    void guards(GuardSet, const State<1>& state, double, const Excitation&,
                std::array<double, 2>& value) const noexcept {
        value = {gap(state) + kGapNoise, to_fall(state)};
    }
    bool counts(int guard, const State<1>& state, const Drive&) const noexcept {
        return guard == kFall || support_ * state.q_rate[0] < 0.0;
    }
    int closing_coordinate(int guard) const noexcept { return guard == kImpact ? 0 : -1; }
    template <class Moment>
    void reset(const Events<kGuards>& events, Moment& now) {
        if (*events.begin() == kFall) return fall(now);
        const double ratio = body_.at_impact().sticking_ratio[side_index(support_)], before = state_.q_rate[0];
        state_ = {{0.0}, {ratio * before}};
        now.impact({now.time_s(), 0, {before}, {state_.q_rate[0]}});
        support_ = -support_;
        const double rate = std::abs(state_.q_rate[0]);
        if (rate <= kRestRate * body_.p_rad_s) {
            const double back = body_.sticking_ratio[side_index(support_)];
            const auto flight = [&](int support, double from_rate) {
                const double down = -support * equation(support, now.drive()).forcing;
                return down > 0.0 ? 2.0 * from_rate / down : 0.0;
            };
            now.settles_in(decaying_sequence_s(flight(support_, rate) + flight(-support_, back * rate), ratio * back));
            stand_still();
        }
        now.sample();
    }

    EnergyVerdict verdict(const Drive& still) const noexcept;

  private:
    SmallRotationEquation equation(int support, const Drive& drive) const noexcept {
        return small_rotation_equation(corner_[side_index(support)], quasi_linear_, support, drive);
    }

    bool quasi_linear_;
    std::array<SmallRotationCorner, 2> corner_;
};

/// Between impacts theta'^2 - stiffness (theta - theta_e)^2 is kept, theta_e the unstable equilibrium.
EnergyVerdict SmallRotationLaw::verdict(const Drive& still) const noexcept {
    double barrier = std::numeric_limits<double>::infinity();
    for (const int support : {-1, 1}) {
        const SmallRotationEquation e = equation(support, still);
        const double edge = -support * e.forcing / e.stiffness;
        if (!(edge > 0.0 && e.stiffness > 0.0)) return EnergyVerdict::undecided;
        barrier = std::min(barrier, e.stiffness * edge * edge);
    }
    const SmallRotationEquation e = equation(support_, still);
    const double edge = -support_ * e.forcing / e.stiffness, angle = support_ * state_.q[0];
    const double base_rate2 =
        state_.q_rate[0] * state_.q_rate[0] + e.stiffness * (edge * edge - (edge - angle) * (edge - angle));
    return angle < edge && base_rate2 < barrier ? EnergyVerdict::stable : EnergyVerdict::undecided;
}

}  // namespace

std::unique_ptr<RunImpl> make_small_rotation_run(const Specimen& specimen, const SolverOptions& options) {
    return make_run(SmallRotationLaw(specimen, options), options, specimen.initial_tilt_rad);
}

}  // namespace topple::solver
