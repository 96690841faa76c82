#include "solver/lanes/lane_ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "solver/lanes/lane_bodies.hpp"
#include "solver/lanes/outcomes_in_lanes.hpp"

namespace topple::solver {
namespace {

constexpr double kNever = 1e200;  // the kernel's infinite times are above it
constexpr double kPi_2 = 1.57079632679489661923;

/// Base acceleration over g below which the body stays at rest, whichever way it points.
double lifting_ratio(const LaneBody& body) {
    double least = 1e300;
    for (int side = 0; side < 2; ++side) {
        const double sign = side == 0 ? -1.0 : 1.0;
        const double tangent = body.sides[side].sine / body.sides[side].cosine;
        least = std::min(least, body.seat_cosine * tangent - sign * body.seat_sine);
    }
    return least;
}

}  // namespace

LaneEnsemble::LaneEnsemble(std::span<const Specimen> specimens, const SolverOptions& options)
    : gravity_m_s2_(options.gravity_m_s2) {
    validate(options);
    for (const Specimen& specimen : specimens) {
        validate(specimen);
        if (!wave_lanes_cover(specimen, options)) throw std::invalid_argument("the lanes do not cover this specimen");
        if (bodies_.empty()) axes_rad_s_ = scale_of(specimen, gravity_m_s2_).frequency_parameter_rad_s;
        const LaneBody& body = bodies_.emplace_back(lane_body(specimen, axes_rad_s_, gravity_m_s2_));
        LaneMoment& moment = moments_.emplace_back();
        if (body.initial_rotation_rad == 0.0) continue;
        moment.stand = LaneStand::rocks;
        moment.lifted = true;
        moment.side = body.initial_rotation_rad < 0.0 ? 0 : 1;
        moment.rotation_rad = std::abs(body.initial_rotation_rad);
    }
    points_.reserve(size());
    outcomes_.reserve(size());
    note_thresholds();
}

void LaneEnsemble::note_thresholds() {
    least_lifting_ratio_ = 1e300;
    for (const LaneBody& body : bodies_) least_lifting_ratio_ = std::min(least_lifting_ratio_, lifting_ratio(body));
}

void LaneEnsemble::follow(double to_s, double from_m_s2, double to_m_s2) {
    if (!(to_s > time_s_)) return;
    ShapePiece piece;
    piece.length = to_s - time_s_;
    piece.value = from_m_s2;
    piece.slope = (to_m_s2 - from_m_s2) / piece.length;
    piece.peak_from_here = std::max(std::abs(from_m_s2), std::abs(to_m_s2));
    piece.slope_peak = std::abs(piece.slope);
    const bool can_lift = piece.peak_from_here / gravity_m_s2_ >= least_lifting_ratio_;
    points_.clear();
    for (std::size_t i = 0; i < size(); ++i)
        if (moments_[i].stand == LaneStand::rocks || (can_lift && moments_[i].stand == LaneStand::rests))
            points_.push_back({1.0 / axes_rad_s_, 1.0, i});
    LaneProblem problem{bodies_.data(), &piece, 1, 1.0 / gravity_m_s2_};
    problem.from = problem.to = moments_.data();
    problem.origin = time_s_ * axes_rad_s_;
    problem.tells_times = true;
    outcomes_.resize(points_.size());
    lane_solver()(problem, points_.data(), outcomes_.data(), points_.size());
    time_s_ = to_s;
}

std::vector<BodyEnd> LaneEnsemble::ends_along(const WaveShape& motion, std::span<const std::size_t> which,
                                              std::span<const double> amplitude_factors, double delay_s) const {
    std::vector<LanePoint> points;
    points.reserve(which.size());
    for (std::size_t n = 0; n < which.size(); ++n)
        points.push_back({1.0 / axes_rad_s_, amplitude_factors.empty() ? 1.0 : amplitude_factors[n], which[n]});
    LaneProblem problem{bodies_.data(), motion.pieces().data(), motion.pieces().size(), 1.0 / gravity_m_s2_};
    problem.from = moments_.data();
    problem.start = std::max(0.0, time_s_ - delay_s);
    problem.origin = (time_s_ - problem.start) * axes_rad_s_;
    problem.tells_times = true;
    std::vector<LaneOutcome> outcomes(points.size());
    lane_solver()(problem, points.data(), outcomes.data(), points.size());
    std::vector<BodyEnd> ends;
    ends.reserve(outcomes.size());
    for (const LaneOutcome& from : outcomes) {
        BodyEnd& end = ends.emplace_back();
        if (from.end == LaneEnd::unsolved) continue;
        const MapOutcome outcome = map_outcome_of(from);
        end = {outcome.outcome, outcome.direction, from.time / axes_rad_s_};
        if (from.time > kNever) end.time_s = std::numeric_limits<double>::infinity();
    }
    return ends;
}

double LaneEnsemble::rotation_rad(std::size_t i) const noexcept {
    const LaneMoment& moment = moments_[i];
    const double sign = moment.side == 0 ? -1.0 : 1.0;
    if (moment.stand == LaneStand::fallen) return sign * kPi_2;
    return moment.stand == LaneStand::rocks ? sign * moment.rotation_rad : 0.0;
}

double LaneEnsemble::rotation_rate_rad_s(std::size_t i) const noexcept {
    const LaneMoment& moment = moments_[i];
    if (moment.stand != LaneStand::rocks) return 0.0;
    return (moment.side == 0 ? -1.0 : 1.0) * moment.rate * axes_rad_s_;
}

void LaneEnsemble::replace(std::span<const std::size_t> parents, std::vector<LaneBody> bodies) {
    std::vector<LaneMoment> moments;
    moments.reserve(parents.size());
    for (const std::size_t parent : parents) moments.push_back(moments_[parent]);
    moments_ = std::move(moments);
    bodies_ = std::move(bodies);
    note_thresholds();
}

}  // namespace topple::solver
