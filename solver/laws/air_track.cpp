#include "solver/laws/air_track.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "solver/engine/engine_run.hpp"
#include "solver/laws/single_body.hpp"

namespace topple::solver {
namespace {

constexpr double kStep = 0.2;  // longest step, times 1/p

/// Coordinates: [0] rotation of the block, rad; [1] way of the slider, m.
class AirTrackLaw : public SingleBody<2> {
  public:
    enum Guard { kLanding, kImpact, kFall };
    static constexpr int kGuards = 3;
    static constexpr GuardSet kHopGuards = guard_bit(kImpact);

    AirTrackLaw(const Specimen& specimen, const AirTrack& track, const SolverOptions& options)
        : SingleBody(specimen, options), track_(track), gravity_m_s2_(options.gravity_m_s2) {
        support_ = lifts() ? -1 : 0;
    }

    double landed_s() const noexcept { return landed_s_; }
    /// By then the mass has landed: the momentum of the pull moves the common centre of mass, and the block's own lies
    /// within 2 R of where it was.
    double landed_before_s() const noexcept {
        const double radius =
            std::max(std::hypot(body_.reach_m[0], body_.height_m[0]), std::hypot(body_.reach_m[1], body_.height_m[1]));
        return std::sqrt(2.0 * (track_.drop_m * moving_kg() + 2.0 * body_.mass_kg * radius) / pull_n());
    }

    bool rests() const noexcept { return !is_pulled_ && support_ == 0; }
    RestBand rest_band(double) const noexcept {  // once landed, nothing moves the slider any more
        constexpr double kNever = std::numeric_limits<double>::infinity();
        return {-kNever, kNever};
    }
    template <class Moment>
    void begin(Moment&) noexcept {}
    template <class Moment>
    void leave_rest(bool, Moment&) noexcept {}

    /// (Mt) X'' + m (z theta'' - x theta'^2) = F,  I_O theta'' + m z X'' = m x g;  (x, z): corner -> mass centre.
    Row<2> acceleration(const State<2>& state, const Drive&) const noexcept {
        const double total = moving_kg(), pull = pull_n(), m = body_.mass_kg;
        if (support_ == 0) return {0.0, pull / total};
        const Vec2 r = centre_from_corner(body_, support_, state.q[0]);
        const double push = pull + m * r.x * state.q_rate[0] * state.q_rate[0];
        const double a = (m * r.x * gravity_m_s2_ - m * r.z * push / total) / inertia_kg_m2(r);
        return {a, (push - m * r.z * a) / total};
    }
    double base_acceleration_m_s2(const State<2>& state) const noexcept { return acceleration(state, {})[1]; }
    double step_limit_s(const Row<2>& acceleration, const Excitation&, double, bool) const noexcept {
        return hop_limit(acceleration, kStep / body_.p_rad_s);
    }

    GuardSet at_risk(const StepEnd<2>& from, const StepEnd<2>& end, double step_s, const Excitation&) const noexcept {
        return (is_pulled_ ? guard_bit(kLanding) : 0) | (may_come_down(from, end, step_s) ? guard_bit(kImpact) : 0) |
               (may_fall(from, end, step_s) ? guard_bit(kFall) : 0);
    }
    void guards(GuardSet, const State<2>& state, double, const Excitation&,
                std::array<double, 3>& value) const noexcept {
        value = {track_.drop_m - state.q[1], gap(state), to_fall(state)};
    }
    bool counts(int guard, const State<2>& state, const Drive&) const noexcept {
        return guard != kImpact || support_ * state.q_rate[0] < 0.0;
    }
    int closing_coordinate(int guard) const noexcept { return guard == kImpact ? 0 : -1; }
    template <class Moment>
    void reset(const Events<kGuards>& events, Moment& now) {
        for (const int guard : events) {
            if (guard == kFall) return fall(now);
            if (guard == kImpact) impact(now);
            if (guard == kLanding) is_pulled_ = false, landed_s_ = now.time_s();
        }
        if (rests()) now.settles_in(0.0);
        now.sample();
    }

    EnergyVerdict verdict(const Drive&) const noexcept;
    /// Beyond its balance and turning on: nothing drives it back.
    EnergyVerdict last_verdict(const Drive&) const noexcept {
        if (is_pulled_) return EnergyVerdict::undecided;
        return driven_outwards(centre_from_corner(body_, support_, state_.q[0]).x);
    }

  private:
    double moving_kg() const noexcept {
        return body_.mass_kg + track_.slider_kg + (is_pulled_ ? track_.hanging_kg : 0.0);
    }
    double pull_n() const noexcept { return is_pulled_ ? track_.hanging_kg * gravity_m_s2_ : 0.0; }
    /// Of the rotation while the slider gives way; `r`: corner to mass centre.
    double inertia_kg_m2(const Vec2& r) const noexcept {
        const double m = body_.mass_kg;
        return body_.inertia_kg_m2 + m * dot(r, r) - m * m * r.z * r.z / moving_kg();
    }
    /// In full contact: does the pull lift the block?
    bool lifts() const noexcept {
        return pull_n() / moving_kg() * body_.height_m[0] > gravity_m_s2_ * body_.reach_m[0] * (1.0 + 1e-12);
    }
    template <class Moment>
    void impact(Moment& now);

    AirTrack track_;
    double gravity_m_s2_, landed_s_ = 0.0;
    bool is_pulled_ = true;
};

/// The horizontal impulse on the block acts on the slider as well; the vertical one where it gives the block's ratio on
/// a base that does not give way.
template <class Moment>
void AirTrackLaw::impact(Moment& now) {
    const std::size_t old_side = side_index(support_), new_side = side_index(-support_);
    const double m = body_.mass_kg, z = body_.height_m[0], x = body_.reach_m[old_side], y = body_.reach_m[new_side];
    const double fixed = body_.inertia_kg_m2 + m * z * z, ratio = body_.at_impact().sticking_ratio[old_side];
    const double lever = fixed * (1.0 - ratio) / (x + ratio * y);
    const double inertia = fixed - m * m * z * z / moving_kg();
    const double before = state_.q_rate[0];
    double after = before * std::max(0.0, (inertia - lever * x) / (inertia + lever * y));
    now.impact({now.time_s(), 0, {before}, {after}});
    support_ = -support_;
    if (std::abs(after) <= kRestRate * body_.p_rad_s) after = 0.0, support_ = lifts() ? -1 : 0;
    state_.q[0] = 0.0;
    state_.q_rate = {after, state_.q_rate[1] - m * z / moving_kg() * (after - before)};
}

/// Between impacts the energy relative to the common centre of mass is kept once the mass has landed.
EnergyVerdict AirTrackLaw::verdict(const Drive&) const noexcept {
    if (is_pulled_) return EnergyVerdict::undecided;
    const Vec2 r = centre_from_corner(body_, support_, state_.q[0]);
    const double weight_n = body_.mass_kg * gravity_m_s2_, w = state_.q_rate[0];
    const auto barrier_j = [&](std::size_t side) {
        return weight_n * (std::hypot(body_.reach_m[side], body_.height_m[side]) - body_.height_m[side]);
    };
    const double energy_j = 0.5 * inertia_kg_m2(r) * w * w + weight_n * (r.z - body_.height_m[side_index(support_)]);
    const bool is_stable = support_ * r.x < 0.0 && energy_j < std::min(barrier_j(0), barrier_j(1));
    return is_stable ? EnergyVerdict::stable : EnergyVerdict::undecided;
}

}  // namespace

double AirTrack::acceleration_m_s2(double block_kg, double gravity_m_s2) const noexcept {
    return hanging_kg * gravity_m_s2 / (slider_kg + block_kg + hanging_kg);
}

double AirTrack::pull_duration_s(double block_kg, double gravity_m_s2) const noexcept {
    return std::sqrt(2.0 * drop_m / acceleration_m_s2(block_kg, gravity_m_s2));
}

void require_coupled(const Specimen& specimen, const AirTrack& track, const SolverOptions& options) {
    const auto refuse = [](const char* what) { throw std::invalid_argument(what); };
    validate(specimen);
    require_rocking(specimen);
    validate(options);
    if (options.vertical) refuse("coupled air track: its base has no vertical motion");
    if (specimen.blocks.size() != 1) refuse("coupled air track: one single block only");
    if (specimen.foot)
        refuse("foot: the coupled air track is for bodies with two corners: use an air track not coupled");
    if (specimen.friction) refuse("coupled air track: the block does not slide; omit friction");
    if (specimen.initial_tilt_rad != 0.0) refuse("coupled air track: initial_tilt_rad must be 0");
    if (!specimen.initial_rotation_rad.empty() && specimen.initial_rotation_rad[0] != 0.0)
        refuse("coupled air track: initial_rotation_rad must be 0");
    if (starts_turning(specimen)) refuse("coupled air track: initial_rotation_rate_rad_s must be 0");
    for (const double positive : {track.slider_kg, track.hanging_kg, track.drop_m})
        if (!(std::isfinite(positive) && positive > 0.0)) refuse("coupled air track: masses and drop must be > 0");
}

Prediction predict_coupled(const Specimen& specimen, const AirTrack& track, const SolverOptions& options) {
    require_coupled(specimen, track, options);
    Engine<AirTrackLaw> engine(AirTrackLaw(specimen, track, options), options, 0.0);
    engine.run({}, engine.law().landed_before_s(), true);
    engine.run({}, engine.law().landed_s() + options.settle_limit_s, true);
    engine.conclude();
    Prediction prediction = prediction_of(engine, 1);
    prediction.restitution = restitution_ratios(specimen);
    return prediction;
}

}  // namespace topple::solver
