#include "solver/study/stability_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "solver/lanes/rocking_lanes.hpp"
#include "solver/lanes/wave_shape.hpp"
#include "solver/predict.hpp"

namespace topple::solver {
namespace {

/// Slower impacts than this times p mean that the body had come to rest in between.
constexpr double kRestRateRatio = 1e-5;

/// alpha and p of the axes.
struct Scale {
    double slenderness_rad = 0.0, frequency_parameter_rad_s = 0.0;
};

double pivot_parameter_rad_s(double mass_kg, double radius_m, double inertia_kg_m2, double gravity_m_s2) {
    return std::sqrt(mass_kg * gravity_m_s2 * radius_m / (inertia_kg_m2 + mass_kg * radius_m * radius_m));
}

Scale scale_of(const Specimen& specimen, double gravity_m_s2) {
    if (specimen.pivots) {
        const Pivots& pivots = *specimen.pivots;
        const bool left = pivots.alpha_left_rad <= pivots.alpha_right_rad;
        return {left ? pivots.alpha_left_rad : pivots.alpha_right_rad,
                pivot_parameter_rad_s(specimen.blocks[0].mass_kg, left ? pivots.radius_left_m : pivots.radius_right_m,
                                      pivots.inertia_kg_m2, gravity_m_s2)};
    }
    Block whole = specimen.blocks.front();
    for (std::size_t i = 1; i < specimen.blocks.size(); ++i) whole.height_m += specimen.blocks[i].height_m;
    return {whole.slenderness_rad(), whole.frequency_parameter_rad_s(gravity_m_s2)};
}

/// `axes_rad_s`: p of the axes, by which the lanes' time is made dimensionless.
LaneBody lane_body(const Specimen& specimen, double axes_rad_s, double gravity_m_s2) {
    const Scale scale = scale_of(specimen, gravity_m_s2);
    LaneBody body;
    body.seat_cosine = std::cos(specimen.initial_tilt_rad);
    body.seat_sine = std::sin(specimen.initial_tilt_rad);
    body.initial_rotation_rad = specimen.initial_rotation_rad.empty() ? 0.0 : specimen.initial_rotation_rad[0];
    const std::vector<double> ratios = restitution_ratios(specimen);
    for (std::size_t i = 0; i < 2; ++i) {
        double alpha = scale.slenderness_rad, p = scale.frequency_parameter_rad_s;
        if (specimen.pivots) {
            const Pivots& pivots = *specimen.pivots;
            alpha = i == 0 ? pivots.alpha_left_rad : pivots.alpha_right_rad;
            p = pivot_parameter_rad_s(specimen.blocks[0].mass_kg, i == 0 ? pivots.radius_left_m : pivots.radius_right_m,
                                      pivots.inertia_kg_m2, gravity_m_s2);
        }
        const double ratio = p / axes_rad_s;
        body.sides[i] = {alpha, std::sin(alpha), std::cos(alpha), ratio * ratio,
                         i < ratios.size() ? ratios[i] : ratios[0]};
    }
    return body;
}

BaseMotion faster(const BaseMotion& motion, double factor) {
    std::vector<MotionPiece> pieces = motion.pieces();
    for (MotionPiece& piece : pieces) {
        piece.start_s /= factor;
        piece.end_s /= factor;
        double power = 1.0;
        for (double& coefficient : piece.polynomial) coefficient *= power, power *= factor;
        for (HarmonicTerm& h : piece.harmonics) {
            h.angular_frequency_rad_s *= factor;
            h.sine_m_s2[1] *= factor;
            h.cosine_m_s2[1] *= factor;
        }
    }
    return BaseMotion(std::move(pieces));
}

MapOutcome named(const LaneOutcome& from) {
    MapOutcome to;
    to.steps = from.steps;
    to.impacts_before_overturning = from.impacts;
    to.outcome = from.end == LaneEnd::overturning ? Outcome::overturning
                 : from.end == LaneEnd::rocking   ? Outcome::rocking
                                                  : Outcome::translation;
    to.blocks_overturned = from.end == LaneEnd::overturning ? 1 : 0;
    if (from.end == LaneEnd::overturning) to.direction = from.side < 0 ? Side::left : Side::right;
    return to;
}

SolverOptions with_gravity(double gravity_m_s2) {
    SolverOptions options;
    options.gravity_m_s2 = gravity_m_s2;
    return options;
}

bool lanes_cover(const Specimen& specimen, const SolverOptions& options) {
    return specimen.blocks.size() == 1 && !specimen.friction && !starts_turning(specimen) && !options.vertical &&
           specimen.restitution.model != RestitutionModel::random && options.integrator == Integrator::high_order &&
           (options.model == Model::automatic || options.model == Model::rocking);
}

std::uint32_t impacts_since_rest(const Prediction& prediction, double rest_rate_rad_s) {
    std::uint32_t count = 0;
    for (const Impact& impact : prediction.impacts) {
        if (impact.time_s >= *prediction.overturn_time_s) break;
        double fastest = 0.0;
        for (const double rate : impact.rotation_rate_after_rad_s) fastest = std::max(fastest, std::abs(rate));
        count = fastest < rest_rate_rad_s ? 0 : count + 1;
    }
    return count;
}

}  // namespace

bool MapOutcome::same_class(const MapOutcome& other) const noexcept {
    return outcome == other.outcome && direction == other.direction &&
           impacts_before_overturning == other.impacts_before_overturning;
}

struct StabilityMap::Impl {
    Specimen specimen;
    MapWave wave;
    SolverOptions options;
    Scale scale;
    double amplitude_unit_m_s2;
    bool in_lanes;
    WaveShape shape;
    LaneBody body;
    LaneProblem lanes;

    Impl(const Specimen& of, const MapWave& by, AmplitudeAxis axis, const SolverOptions& asked)
        : specimen(of),
          wave(by),
          options(asked),
          scale(scale_of(of, asked.gravity_m_s2)),
          amplitude_unit_m_s2(asked.gravity_m_s2 * (axis == AmplitudeAxis::tangent ? std::tan(scale.slenderness_rad)
                                                                                   : scale.slenderness_rad)),
          in_lanes(lanes_cover(of, asked)),
          shape(by.motion, by.angular_frequency_rad_s, by.amplitude_m_s2) {
        if (!in_lanes) return;
        body = lane_body(specimen, scale.frequency_parameter_rad_s, options.gravity_m_s2);
        lanes.bodies = &body;
        lanes.pieces = shape.pieces().data();
        lanes.piece_count = shape.pieces().size();
        lanes.amplitude_unit = amplitude_unit_m_s2 / options.gravity_m_s2;
    }
};

StabilityMap::StabilityMap(const Specimen& specimen, const MapWave& wave, AmplitudeAxis axis, double gravity_m_s2)
    : StabilityMap(specimen, wave, axis, with_gravity(gravity_m_s2)) {}

StabilityMap::StabilityMap(const Specimen& specimen, const MapWave& wave, AmplitudeAxis axis,
                           const SolverOptions& options) {
    validate(specimen);
    validate(options);
    if (specimen.blocks.empty()) throw std::invalid_argument("map: nothing stands on the base");
    if (options.vertical) throw std::invalid_argument("map: a vertical motion has no place on the axes of a map");
    const auto positive = [](double value) { return std::isfinite(value) && value > 0.0; };
    if (wave.motion.empty() || !positive(wave.angular_frequency_rad_s) || !positive(wave.amplitude_m_s2))
        throw std::invalid_argument("map: the excitation has no wave with a frequency and an amplitude to vary");
    model_for(specimen, options.model);
    impl_ = std::make_unique<Impl>(specimen, wave, axis, options);
}
StabilityMap::~StabilityMap() = default;
StabilityMap::StabilityMap(StabilityMap&&) noexcept = default;
StabilityMap& StabilityMap::operator=(StabilityMap&&) noexcept = default;

void StabilityMap::solve(std::span<const MapPoint> points, std::span<MapOutcome> outcomes) const {
    if (points.size() != outcomes.size()) throw std::invalid_argument("map: as many outcomes as points are needed");
    if (!impl_->in_lanes) {
        for (std::size_t i = 0; i < points.size(); ++i) outcomes[i] = solve_by_run(points[i]);
        return;
    }
    constexpr std::size_t kChunk = 1024;  // bounds the memory of a call
    std::array<LanePoint, kChunk> from;
    std::array<LaneOutcome, kChunk> to;
    const LaneSolver solve_lanes = lane_solver();
    for (std::size_t start = 0; start < points.size(); start += kChunk) {
        const std::size_t count = std::min(kChunk, points.size() - start);
        for (std::size_t i = 0; i < count; ++i)
            from[i] = {points[start + i].frequency_ratio, points[start + i].amplitude_ratio, 0};
        solve_lanes(impl_->lanes, from.data(), to.data(), count);
        for (std::size_t i = 0; i < count; ++i)
            outcomes[start + i] = to[i].end == LaneEnd::unsolved ? solve_by_run(points[start + i]) : named(to[i]);
    }
}

MapOutcome map_outcome(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& asked) {
    SolverOptions options = with_gravity(asked.gravity_m_s2);
    options.model = asked.model;
    options.integrator = asked.integrator;
    options.newmark_step_s = asked.newmark_step_s;
    options.vertical = asked.vertical;
    options.impacts_max = 100000;
    // A single body that does not overturn is decided by energy; one that does is followed to the end for its
    // impacts.
    options.outcome_only = true;
    Prediction prediction = follow(specimen, motion, options);
    if (is_overturning(prediction.outcome) && !prediction.overturn_time_s) {
        options.outcome_only = false;
        prediction = follow(specimen, motion, options);
    }
    MapOutcome outcome{prediction.outcome, prediction.direction};
    outcome.status = prediction.status;
    if (!is_overturning(prediction.outcome)) return outcome;
    outcome.blocks_overturned = static_cast<std::uint32_t>(prediction.blocks_overturned.size());
    if (prediction.overturn_time_s)
        outcome.impacts_before_overturning = impacts_since_rest(
            prediction, kRestRateRatio * scale_of(specimen, options.gravity_m_s2).frequency_parameter_rad_s);
    return outcome;
}

MapOutcome StabilityMap::solve_by_run(const MapPoint& point) const {
    return map_outcome(impl_->specimen, motion_at(point), impl_->options);
}

BaseMotion StabilityMap::motion_at(const MapPoint& point) const {
    const double w = point.frequency_ratio * impl_->scale.frequency_parameter_rad_s;
    return faster(impl_->wave.motion, w / impl_->wave.angular_frequency_rad_s)
        .scaled(point.amplitude_ratio * impl_->amplitude_unit_m_s2 / impl_->wave.amplitude_m_s2);
}

bool StabilityMap::in_lanes() const noexcept { return impl_->in_lanes; }
double StabilityMap::frequency_parameter_rad_s() const noexcept { return impl_->scale.frequency_parameter_rad_s; }
double StabilityMap::slenderness_rad() const noexcept { return impl_->scale.slenderness_rad; }
double StabilityMap::amplitude_unit_m_s2() const noexcept { return impl_->amplitude_unit_m_s2; }

std::vector<std::optional<MapOutcome>> outcomes_in_lanes(std::span<const Specimen> specimens, const BaseMotion& motion,
                                                         const SolverOptions& options) {
    std::vector<std::optional<MapOutcome>> outcomes(specimens.size());
    if (motion.empty()) return outcomes;
    std::vector<LaneBody> bodies;
    std::vector<LanePoint> points;
    std::vector<std::size_t> index;
    double axes_rad_s = 0.0;  // one time scale, so that all lanes go through the motion at the same pace
    for (std::size_t i = 0; i < specimens.size(); ++i) {
        if (!lanes_cover(specimens[i], options)) continue;
        validate(specimens[i]);
        if (axes_rad_s == 0.0) axes_rad_s = scale_of(specimens[i], options.gravity_m_s2).frequency_parameter_rad_s;
        points.push_back({1.0 / axes_rad_s, 1.0, bodies.size()});
        bodies.push_back(lane_body(specimens[i], axes_rad_s, options.gravity_m_s2));
        index.push_back(i);
    }
    if (bodies.empty()) return outcomes;
    const WaveShape shape(motion, 1.0, 1.0);
    const LaneProblem problem{bodies.data(), shape.pieces().data(), shape.pieces().size(), 1.0 / options.gravity_m_s2};
    std::vector<LaneOutcome> ends(points.size());
    lane_solver()(problem, points.data(), ends.data(), points.size());
    for (std::size_t i = 0; i < ends.size(); ++i)
        if (ends[i].end != LaneEnd::unsolved) outcomes[index[i]] = named(ends[i]);
    return outcomes;
}

std::optional<MapOutcome> outcome_in_lanes(const Specimen& specimen, const BaseMotion& motion,
                                           const SolverOptions& options) {
    return outcomes_in_lanes({&specimen, 1}, motion, options).front();
}

MapOutcome outcome_along(const Specimen& specimen, const BaseMotion& motion, double gravity_m_s2) {
    const SolverOptions options = with_gravity(gravity_m_s2);
    const auto outcome = outcome_in_lanes(specimen, motion, options);
    return outcome ? *outcome : map_outcome(specimen, motion, options);
}

}  // namespace topple::solver
