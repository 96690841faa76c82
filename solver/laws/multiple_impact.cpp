#include "solver/laws/multiple_impact.hpp"

#include <algorithm>
#include <cmath>

#include "solver/engine/engine_run.hpp"
#include "solver/stack/geometry.hpp"

namespace topple::solver {
namespace {

constexpr double kStep = 0.2;                     // longest step, times 1/p
constexpr double kSticks_m_s = 1e-10;             // a corner slower than this does not slip, but for its forces
constexpr double kSlow_m_s = 1e-2;                // both corners below it: one of the last bounces of a sequence
constexpr int kSteps = 20000, kStepsSlow = 2000;  // of an impact of both corners: works to 3e-8 and 3e-6
constexpr double kFallWatch_rad = 1.0;            // from here on a fall may be inside the step

}  // namespace

MultipleImpactLaw::MultipleImpactLaw(const Specimen& specimen, const SolverOptions& options)
    : friction_(specimen.friction.value()),
      width_m_(specimen.blocks.at(0).width_m),
      height_m_(specimen.blocks.at(0).height_m),
      p_1_s_(specimen.blocks.at(0).frequency_parameter_rad_s(options.gravity_m_s2)),
      impacts_max_(options.impacts_max) {
    const double m = specimen.blocks[0].mass_kg;
    body_ = {m, m * (width_m_ * width_m_ + height_m_ * height_m_) / 12.0};
    const MultipleImpact& law = options.multiple_impact;
    rule_ = {law.restitution, friction_.static_ratio, friction_.kinetic_ratio, law.stiffness_ratio, law.exponent};
    const auto first = [](const std::vector<double>& values) { return values.empty() ? 0.0 : values[0]; };
    state_.q[2] = first(specimen.initial_rotation_rad);
    state_.q_rate[2] = first(specimen.initial_rotation_rate_rad_s);
    const double lean = state_.q[2] != 0.0 ? state_.q[2] : state_.q_rate[2];
    contact_ = lean > 0.0 ? Contact::right : lean < 0.0 ? Contact::left : Contact::flat;
    const CornerArm arm = arms(state_)[corner()];
    state_.q[1] = -arm.z_m;
    if (on_corner()) state_.q[0] = (contact_ == Contact::right ? 0.5 : -0.5) * width_m_ - arm.x_m;  // foot at its place
    if (specimen.initial_velocity_m_s) {
        state_.q_rate[0] = (*specimen.initial_velocity_m_s)[0];
        state_.q_rate[1] = (*specimen.initial_velocity_m_s)[1];
        if (contact_ == Contact::flat) contact_ = Contact::flight;  // begin() says what touches
    } else if (on_corner()) {
        state_.q_rate[0] = -state_.q_rate[2] * arm.z_m;
        state_.q_rate[1] = state_.q_rate[2] * arm.x_m;
    }
    uplifted_ = contact_ != Contact::flat;
}

std::array<CornerArm, 2> MultipleImpactLaw::arms(const State<3>& state) const noexcept {
    const double sine = std::sin(state.q[2]), cosine = std::cos(state.q[2]);
    const auto arm = [&](double x_m) {
        const Vec2 r = turned({x_m, -0.5 * height_m_}, sine, cosine);
        return CornerArm{r.x, r.z};
    };
    return {arm(-0.5 * width_m_), arm(0.5 * width_m_)};
}

double MultipleImpactLaw::gap_m(const State<3>& state, std::size_t corner) const noexcept {
    return state.q[1] + arms(state)[corner].z_m;
}

/// Slips less than half the width over the height: it slides before it lifts.
RestBand MultipleImpactLaw::rest_band(double vertical_m_s2) const noexcept {
    const double edge = std::min(friction_.static_ratio, width_m_ / height_m_) * vertical_m_s2;
    return {-edge, edge};
}

/// Corner relative to the base without contact force: (-ug'' - w^2 rx, -G - w^2 rz); the forces make its normal
/// acceleration zero, and the tangential one zero (slip = 0) or the friction kinetic.
MultipleImpactLaw::Response MultipleImpactLaw::on_corner_response(const State<3>& state, const Drive& drive,
                                                                  double slip) const noexcept {
    const CornerArm r = arms(state)[corner()];
    const double k2 = body_.inertia_kg_m2 / body_.mass_kg, w2 = state.q_rate[2] * state.q_rate[2];
    const double nn = 1.0 + r.x_m * r.x_m / k2, tt = 1.0 + r.z_m * r.z_m / k2, nt = -r.x_m * r.z_m / k2;
    const double an = -drive.vertical_m_s2 - w2 * r.z_m, at = -drive.horizontal_m_s2 - w2 * r.x_m;
    Response response;
    if (slip == 0.0) {
        const double det = nn * tt - nt * nt;
        response.normal_m_s2 = -(tt * an - nt * at) / det;
        response.tangential_m_s2 = -(nn * at - nt * an) / det;
    } else {
        response.normal_m_s2 = -an / (nn - slip * friction_.kinetic_ratio * nt);
        response.tangential_m_s2 = -slip * friction_.kinetic_ratio * response.normal_m_s2;
    }
    const double ln = response.normal_m_s2, lt = response.tangential_m_s2;
    response.acceleration = {lt - drive.horizontal_m_s2, ln - drive.vertical_m_s2, (r.z_m * lt - r.x_m * ln) / k2};
    return response;
}

MultipleImpactLaw::Response MultipleImpactLaw::response(const State<3>& state, const Drive& drive) const noexcept {
    if (on_corner()) return on_corner_response(state, drive, slip_);
    if (contact_ == Contact::flight) return {{-drive.horizontal_m_s2, -drive.vertical_m_s2, 0.0}, 0.0, 0.0};
    const double friction =
        slip_ == 0.0 ? drive.horizontal_m_s2 : -slip_ * friction_.kinetic_ratio * drive.vertical_m_s2;
    return {{friction - drive.horizontal_m_s2, 0.0, 0.0}, drive.vertical_m_s2, friction};
}

/// What static friction could give beyond what sticking needs.
double MultipleImpactLaw::slack_m_s2(const State<3>& state, const Drive& drive) const noexcept {
    const Response stick = on_corner_response(state, drive, 0.0);
    return friction_.static_ratio * stick.normal_m_s2 - std::abs(stick.tangential_m_s2);
}

Row<3> MultipleImpactLaw::acceleration(const State<3>& state, const Drive& drive) const noexcept {
    return response(state, drive).acceleration;
}

double MultipleImpactLaw::step_limit_s(const Row<3>& acceleration, const Excitation&, double, bool) const noexcept {
    double limit_s = kStep / p_1_s_;
    const auto arm = arms(state_);
    const double w = state_.q_rate[2];
    for (std::size_t j = 0; j < 2; ++j) {
        if (!open(j)) continue;
        const double out = at_corner(velocity(state_), arm[j]).normal_m_s;
        const double up = acceleration[1] - acceleration[2] * arm[j].x_m - w * w * arm[j].z_m;
        if (gap_m(state_, j) < kCornerTouches_m) limit_s = hop_limit_s(out, -up, limit_s);
    }
    if (slip_ != 0.0) {  // a slip that has just begun: see its end before the step is over
        const double ahead = slip_ * slip_velocity_m_s(state_),
                     brake = -slip_ * slip_acceleration(state_, acceleration);
        if (ahead > 0.0 && brake > 0.0) limit_s = std::min(limit_s, 1.5 * ahead / brake);
    }
    return limit_s;
}

double MultipleImpactLaw::slip_velocity_m_s(const State<3>& state) const noexcept {
    return contact_ == Contact::flat ? state.q_rate[0]
                                     : at_corner(velocity(state), arms(state)[corner()]).tangential_m_s;
}

double MultipleImpactLaw::slip_acceleration(const State<3>& state, const Row<3>& acceleration) const noexcept {
    if (contact_ == Contact::flat) return acceleration[0];
    const CornerArm r = arms(state)[corner()];
    return acceleration[0] + acceleration[2] * r.z_m - state.q_rate[2] * state.q_rate[2] * r.x_m;
}

GuardSet MultipleImpactLaw::at_risk(const StepEnd<3>& from, const StepEnd<3>& end, double,
                                    const Excitation&) const noexcept {
    GuardSet risk = 0;
    if (open(0)) risk |= guard_bit(kLeftLands);
    if (open(1)) risk |= guard_bit(kRightLands);
    if (on_corner()) risk |= guard_bit(kLifts);
    if (on_corner() && slip_ == 0.0) risk |= guard_bit(kSlipBegins);
    if (slip_ != 0.0) risk |= guard_bit(kSlipEnds);
    if (std::max(std::abs(from.state.q[2]), std::abs(end.state.q[2])) > kFallWatch_rad) risk |= guard_bit(kFall);
    return risk;
}

void MultipleImpactLaw::guards(GuardSet wanted, const State<3>& state, double time_s, const Excitation& excitation,
                               Values& value) const noexcept {
    const auto arm = arms(state);
    value[kLeftLands] = state.q[1] + arm[0].z_m;
    value[kRightLands] = state.q[1] + arm[1].z_m;
    value[kFall] = kHalfPi - std::abs(state.q[2]);
    if (wanted & guard_bit(kSlipEnds)) value[kSlipEnds] = slip_ * slip_velocity_m_s(state);
    if (!(wanted & (guard_bit(kLifts) | guard_bit(kSlipBegins)))) return;
    const Drive drive = excitation.drive(time_s);
    value[kLifts] = on_corner_response(state, drive, slip_).normal_m_s2;
    if (wanted & guard_bit(kSlipBegins)) value[kSlipBegins] = slack_m_s2(state, drive);
}

bool MultipleImpactLaw::counts(int guard, const State<3>& state, const Drive& drive) const noexcept {
    if (guard == kLeftLands || guard == kRightLands)
        return at_corner(velocity(state), arms(state)[guard == kRightLands ? 1 : 0]).normal_m_s < 0.0;
    if (guard != kSlipEnds) return true;
    return slip_ * slip_acceleration(state, response(state, drive).acceleration) < 0.0;
}

void MultipleImpactLaw::stand_on(Contact contact, const Drive& drive) noexcept {
    contact_ = contact;
    uplifted_ = true;
    choose_slip(drive);
}

/// Static friction is used up: it slips, from rest, whatever rounding says of the friction at this instant.
void MultipleImpactLaw::begin_slip(const Drive& drive) noexcept {
    state_.q_rate[0] -= slip_velocity_m_s(state_);
    slip_ = -sign(on_corner_response(state_, drive, 0.0).tangential_m_s2);
}

/// The corner carries nothing any more: it leaves, from rest across the base.
void MultipleImpactLaw::lift() noexcept {
    if (!on_corner()) return;
    state_.q_rate[1] -= at_corner(velocity(state_), arms(state_)[corner()]).normal_m_s;
    contact_ = Contact::flight;
    slip_ = 0.0;
}

void MultipleImpactLaw::end_slip(const Drive& drive) noexcept {
    if (contact_ == Contact::flat) {
        state_.q_rate[0] = 0.0;
        return place_flat(drive);
    }
    // The corner's own velocity is zero here, up to rounding.
    const CornerArm r = arms(state_)[corner()];
    state_.q_rate[0] = -state_.q_rate[2] * r.z_m;
    choose_slip(drive);
}

/// Both corners touch and stay: by the forces flat, or on the corner that is left when the other one lifts.
void MultipleImpactLaw::place_flat(const Drive& drive) noexcept {
    state_.q_rate[0] = at_corner(velocity(state_), arms(state_)[0]).tangential_m_s;  // that of the face
    state_.q[1] = 0.5 * height_m_;
    state_.q[2] = state_.q_rate[1] = state_.q_rate[2] = 0.0;
    contact_ = Contact::flat;
    const double u = state_.q_rate[0], a = drive.horizontal_m_s2, g = drive.vertical_m_s2;
    slip_ = std::abs(u) > kSticks_m_s ? sign(u) : 0.0;
    if (slip_ == 0.0) {
        state_.q_rate[0] = 0.0;
        if (std::abs(a) > friction_.static_ratio * g * (1.0 + kContactTolerance)) slip_ = -sign(a);
    }
    // Friction on the block per mass; the corner ahead of it carries more, the other one lifts where it carries
    // nothing.
    const double friction = slip_ == 0.0 ? a : -slip_ * friction_.kinetic_ratio * g;
    if (!(std::abs(friction) * height_m_ > width_m_ * g * (1.0 + kContactTolerance))) return;
    stand_on(friction > 0.0 ? Contact::left : Contact::right, drive);
}

void MultipleImpactLaw::choose_slip(const Drive& drive) noexcept {
    const double u = slip_velocity_m_s(state_);
    slip_ = std::abs(u) > kSticks_m_s ? sign(u) : 0.0;
    if (slip_ == 0.0 && slack_m_s2(state_, drive) < 0.0)
        slip_ = -sign(on_corner_response(state_, drive, 0.0).tangential_m_s2);
}

/// Which corners touch and stay, and how.
void MultipleImpactLaw::set_contacts(const Drive& drive) noexcept {
    const auto arm = arms(state_);
    std::array<bool, 2> stays{};
    for (std::size_t j = 0; j < 2; ++j)
        stays[j] = gap_m(state_, j) <= kCornerTouches_m &&
                   std::abs(at_corner(velocity(state_), arm[j]).normal_m_s) <= kCornerCloses_m_s;
    if (stays[0] && stays[1]) return place_flat(drive);
    contact_ = Contact::flight;
    slip_ = 0.0;
    uplifted_ = true;
    if (!stays[0] && !stays[1]) return;
    contact_ = stays[0] ? Contact::left : Contact::right;
    state_.q_rate[1] -= at_corner(velocity(state_), arm[corner()]).normal_m_s;
    choose_slip(drive);
    if (on_corner_response(state_, drive, slip_).normal_m_s2 < 0.0) contact_ = Contact::flight, slip_ = 0.0;
}

/// The corner comes down; the other one touches, comes down with it, or is open.
void MultipleImpactLaw::strike(std::size_t corner) noexcept {
    const auto arm = arms(state_);
    const PlanarVelocity before = velocity(state_);
    const std::size_t other = 1 - corner;
    const bool other_touches = gap_m(state_, other) <= kCornerTouches_m;
    const double other_m_s = at_corner(before, arm[other]).normal_m_s;
    CornerImpact impact = single_impact(body_, arm, corner, before, rule_);
    if (other_touches && (other_m_s < -kCornerCloses_m_s || impact.other_approached))
        impact = double_impact(body_, arm, before, rule_, other_m_s < -kSlow_m_s ? kSteps : kStepsSlow);
    state_.q_rate = {impact.after.x_m_s, impact.after.z_m_s, impact.after.rate_rad_s};
}

/// Only a corner that is inside its balance, with less energy than the barrier, is sure to stay.
EnergyVerdict MultipleImpactLaw::verdict(const Drive& still) const noexcept {
    if (!uplifted_) return EnergyVerdict::undecided;
    const double k2 = body_.inertia_kg_m2 / body_.mass_kg, g = still.vertical_m_s2;
    const Row<3>& v = state_.q_rate;
    const double energy = 0.5 * (v[0] * v[0] + v[1] * v[1] + k2 * v[2] * v[2]) + g * (state_.q[1] - 0.5 * height_m_);
    const double barrier = g * 0.5 * (std::hypot(width_m_, height_m_) - height_m_);
    const bool inside = std::abs(state_.q[2]) < std::atan(width_m_ / height_m_);
    return inside && energy < barrier && still.horizontal_m_s2 == 0.0 ? EnergyVerdict::stable
                                                                      : EnergyVerdict::undecided;
}

Supports<1> MultipleImpactLaw::supports() const noexcept {
    if (contact_ == Contact::flat) return {0};
    if (contact_ == Contact::flight) return {state_.q[2] < 0.0 ? -1 : 1};
    return {contact_ == Contact::left ? -1 : 1};
}

BaseReaction MultipleImpactLaw::reaction(const Drive& drive) const noexcept {
    const Response on_body = response(state_, drive);
    return {-body_.mass_kg * on_body.tangential_m_s2, -body_.mass_kg * on_body.normal_m_s2};
}

StandingLoad MultipleImpactLaw::load() const noexcept {
    const double momentum = body_.mass_kg * state_.q_rate[0];
    return is_fallen_ ? StandingLoad{0.0, 0.0, momentum} : StandingLoad{body_.mass_kg, momentum, 0.0};
}

void MultipleImpactLaw::fill(Prediction& prediction, std::size_t) const {
    for (std::size_t i = 0; i < std::min(centres_.size(), prediction.impacts.size()); ++i) {
        prediction.impacts[i].centre_velocity_before_m_s = {{centres_[i][0], centres_[i][1]}};
        prediction.impacts[i].centre_velocity_after_m_s = {{centres_[i][2], centres_[i][3]}};
    }
}

std::unique_ptr<RunImpl> make_multiple_impact_run(const Specimen& specimen, const SolverOptions& options) {
    return make_run(MultipleImpactLaw(specimen, options), options, specimen.initial_tilt_rad);
}

}  // namespace topple::solver
