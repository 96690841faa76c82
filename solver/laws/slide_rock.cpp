#include "solver/laws/slide_rock.hpp"

#include <algorithm>
#include <cmath>

#include "solver/engine/engine_run.hpp"

namespace topple::solver {
namespace {

constexpr double kStep = 0.2;  // longest step, times 1/p

}  // namespace

SlideRockLaw::SlideRockLaw(const Specimen& specimen, const SolverOptions& options)
    : SingleBody(specimen, options), is_tilted_(specimen.initial_tilt_rad != 0.0), uplifted_(is_open()) {
    if (!specimen.foot) return;
    foot_ = std::make_shared<const FootFaces>(FootFaces{make_foot_body(specimen, options.gravity_m_s2),
                                                        faces_of_sliding_body(specimen, options.gravity_m_s2),
                                                        FootRoll(*specimen.foot)});
    const FootPlace at = place_at(foot_->body, state_.q[0], state_.q_rate[0]);
    stand_on(static_cast<int>(at.face));
    state_.q[0] = at.from_face_rad;
    support_ = at.side;
}

double SlideRockLaw::step_limit_s(const Row<2>& acceleration, const Excitation&, double, bool) const noexcept {
    double limit = hop_limit(acceleration, kStep / body_.p_rad_s);
    // A slip that has just begun: see its end before the step is over.
    const double ahead = slip_ * state_.q_rate[1], brake = -slip_ * acceleration[1];
    if (ahead > 0.0 && brake > 0.0) limit = std::min(limit, 1.5 * ahead / brake);
    return limit;
}

/// False only if the foot surely slides on: its acceleration bends little, and cannot take this speed away and give it
/// back within the step.
bool SlideRockLaw::slip_may_end(const StepEnd<2>& from, const StepEnd<2>& end, double step_s) const noexcept {
    const double least = std::min(slip_ * from.state.q_rate[1], slip_ * end.state.q_rate[1]);
    return !(least > step_s * (std::abs(from.acceleration[1]) + std::abs(end.acceleration[1])));
}

/// False only if friction surely holds: what is spare at both ends of a short step is more than eight times what it may
/// bend inside, by forces that change as fast as the body turns. Where the drive is no straight line it is not known.
bool SlideRockLaw::foot_may_let_go(const StepEnd<2>& from, const StepEnd<2>& end, double step_s,
                                   const Excitation& excitation) const noexcept {
    const MotionPiece* piece = excitation.horizontal_piece();
    const bool is_line =
        piece == nullptr || (piece->harmonics.empty() && piece->polynomial[2] == 0.0 && piece->polynomial[3] == 0.0);
    if (!is_line || excitation.moves_vertically()) return true;
    const auto side = side_index(support_);
    const double w = std::max({body_.p_rad_s, std::abs(from.state.q_rate[0]), std::abs(end.state.q_rate[0])});
    const Drive before = excitation.drive(from.time_s), after = excitation.drive(end.time_s);
    const double force_m_s2 = before.vertical_m_s2 +
                              std::max(std::abs(before.horizontal_m_s2), std::abs(after.horizontal_m_s2)) +
                              (std::abs(body_.reach_m[side]) + std::abs(body_.height_m[side])) * w * w;
    const double bend_m_s2 = step_s * step_s * w * w * (1.0 + body_.friction.static_ratio) * force_m_s2;
    const double spare_m_s2 = -std::max(stick_deficit_m_s2(body_, support_, seen(from.state), before),
                                        stick_deficit_m_s2(body_, support_, seen(end.state), after));
    return !(spare_m_s2 > bend_m_s2);
}

GuardSet SlideRockLaw::at_risk(const StepEnd<2>& from, const StepEnd<2>& end, double step_s,
                               const Excitation& excitation) const noexcept {
    GuardSet risk = 0;
    if (may_come_down(from, end, step_s)) risk |= guard_bit(kImpact);
    if (may_fall(from, end, step_s)) risk |= guard_bit(kFall);
    if (slip_ != 0 && slip_may_end(from, end, step_s)) risk |= guard_bit(kSlipEnds);
    if (support_ != 0 && slip_ == 0 && foot_may_let_go(from, end, step_s, excitation)) risk |= guard_bit(kFootLetsGo);
    return risk;
}

void SlideRockLaw::guards(GuardSet wanted, const State<2>& state, double time_s, const Excitation& excitation,
                          Values& value) const noexcept {
    value[kImpact] = gap(state);
    value[kSlipEnds] = slip_ * state.q_rate[1];
    value[kFall] = to_fall(state);
    if (!(wanted & guard_bit(kFootLetsGo))) return;
    const SlideRockState there = seen(state);
    const Drive drive = excitation.drive(time_s);
    const double deficit = stick_deficit_m_s2(body_, support_, there, drive);
    const double friction = sticking_response(body_, support_, there, drive).friction_m_s2;
    // A wedged foot holds whatever friction it needs.
    const bool is_wedged = let_go(body_, support_, there, sign_of(friction)).slip == 0;
    value[kFootLetsGo] = is_wedged ? drive.vertical_m_s2 : kContactTolerance * drive.vertical_m_s2 - deficit;
}

bool SlideRockLaw::counts(int guard, const State<2>& state, const Drive& drive) const noexcept {
    if (guard == kImpact) return support_ * state.q_rate[0] < 0.0;
    if (guard != kSlipEnds) return true;
    return slip_ * response(body_, mode(), seen(state), drive).slip_m_s2 < 0.0;
}

/// Friction and impacts only take energy; on a slope gravity gives some while the foot slides.
EnergyVerdict SlideRockLaw::verdict(const Drive& still) const noexcept {
    if (is_tilted_ || !uplifted_) return EnergyVerdict::undecided;
    const Vec2 r = centre_from_corner(body_, support_ == 0 ? 1 : support_, state_.q[0]);
    const bool inside = foot_ || support_ == 0 || support_ * r.x < 0.0;
    const double energy_j = slide_rock_energy_j(body_, support_, here(), still.vertical_m_s2);
    return inside && energy_j < least_barrier_j(still) ? EnergyVerdict::stable : EnergyVerdict::undecided;
}

/// Over the face under the body, as slide_rock_energy_j() counts.
double SlideRockLaw::least_barrier_j(const Drive& still) const noexcept {
    const auto barrier_j = [&](std::size_t side) {
        const double radius = std::hypot(body_.reach_m[side], body_.height_m[side]);
        return body_.mass_kg * still.vertical_m_s2 * (radius - body_.height_m[side]);
    };
    if (!foot_) return std::min(barrier_j(0), barrier_j(1));
    const double rise_m = foot_->roll.barrier_m(rotations(state_)[0]) - body_.height_m[0];
    return body_.mass_kg * still.vertical_m_s2 * rise_m;
}

/// Remembers how fast the body is after this impact. Once that is slow and slower than two impacts ago: the time that
/// the rest of the sequence takes. Small motions under a steady drive are similar, whether the foot slips or not: two
/// flights on, all rates and the flights themselves have shrunk by the same ratio
/// (docs/physics.md#sliding-and-rocking).
std::optional<double> SlideRockLaw::note_impact(double time_s, double gravity_m_s2) noexcept {
    const double rate =
        std::max(std::abs(state_.q_rate[0]), std::abs(state_.q_rate[1]) * body_.p_rad_s * body_.p_rad_s / gravity_m_s2);
    const ImpactMark before = marks_[1];
    marks_ = {ImpactMark{time_s, rate}, marks_[0]};
    if (rate > kRestRate * body_.p_rad_s || !(rate < before.rate_rad_s)) return std::nullopt;
    const double ratio = rate / before.rate_rad_s;
    return decaying_sequence_s((time_s - before.time_s) * ratio, ratio);
}

/// Rest of a decaying sequence without slip: geometric, two flights at a time (docs/physics.md#stacks, Rest).
double SlideRockLaw::remaining_s(const Drive& drive) const noexcept {
    const double rate = std::abs(state_.q_rate[0]);
    if (support_ == 0 || rate == 0.0 || state_.q_rate[1] != 0.0) return 0.0;
    const double back = body_.sticking_ratio[side_index(support_)] * rate;
    return decaying_sequence_s(flight_s(support_, rate, drive) + flight_s(-support_, back, drive),
                               body_.sticking_ratio[0] * body_.sticking_ratio[1]);
}

std::unique_ptr<RunImpl> make_slide_rock_run(const Specimen& specimen, const SolverOptions& options) {
    return make_run(SlideRockLaw(specimen, options), options, specimen.initial_tilt_rad);
}

}  // namespace topple::solver
