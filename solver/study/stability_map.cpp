#include "solver/study/stability_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "solver/lanes/lane_bodies.hpp"
#include "solver/lanes/record_lanes.hpp"
#include "solver/lanes/record_track.hpp"
#include "solver/lanes/wave_shape.hpp"
#include "solver/predict.hpp"

namespace topple::solver {
namespace {

/// Slower impacts than this times p mean that the body had come to rest in between.
constexpr double kRestRateRatio = 1e-5;

SolverOptions with_gravity(double gravity_m_s2) {
    SolverOptions options;
    options.gravity_m_s2 = gravity_m_s2;
    return options;
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

struct StabilityMap::Impl {
    Specimen specimen;
    MapWave wave;
    SolverOptions options;
    SpecimenScale scale;
    double amplitude_unit_m_s2;
    bool in_lanes;
    WaveShape shape;
    LaneBodies bodies;
    const LaneBody* body = nullptr;
    LaneProblem lanes;
    std::optional<RecordPieces> record;  // the wave for a foot, which goes through the record lanes

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
        body = &bodies.add(specimen, of.foot ? 1.0 : scale.frequency_parameter_rad_s, options.gravity_m_s2);
        if (of.foot) {
            record.emplace(wave.motion);
            return;
        }
        lanes.bodies = body;
        lanes.pieces = shape.pieces().data();
        lanes.piece_count = shape.pieces().size();
        lanes.amplitude_unit = amplitude_unit_m_s2 / options.gravity_m_s2;
    }

    MotionScale motion_scale(const MapPoint& point) const {
        return {point.amplitude_ratio * amplitude_unit_m_s2 / wave.amplitude_m_s2,
                point.frequency_ratio * scale.frequency_parameter_rad_s / wave.angular_frequency_rad_s};
    }

    void solve_as_record(std::span<const MapPoint> points, std::span<MapOutcome> outcomes) const {
        RecordTrack track = record->track();
        track.tells_all = false;
        std::vector<RecordRun> runs;
        for (const MapPoint& point : points) {
            const MotionScale by = motion_scale(point);
            runs.push_back({body, by.amplitude / options.gravity_m_s2, by.frequency});
        }
        std::vector<RecordRunEnd> ends(runs.size());
        record_solver()(track, runs.data(), ends.data(), runs.size());
        for (std::size_t i = 0; i < ends.size(); ++i)
            outcomes[i] = ends[i].end == LaneEnd::unsolved
                              ? map_outcome(specimen, wave.motion.scaled(motion_scale(points[i])), options)
                              : map_outcome_of(ends[i], true);
    }
};

StabilityMap::StabilityMap(const Specimen& specimen, const MapWave& wave, AmplitudeAxis axis, double gravity_m_s2)
    : StabilityMap(specimen, wave, axis, with_gravity(gravity_m_s2)) {}

StabilityMap::StabilityMap(const Specimen& specimen, const MapWave& wave, AmplitudeAxis axis,
                           const SolverOptions& options) {
    validate(specimen);
    validate(options);
    if (specimen.blocks.empty()) throw std::invalid_argument("map: nothing stands on the base");
    if (options.vertical) throw std::invalid_argument("map: the axes of a map have no place for a vertical motion");
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
    if (points.size() != outcomes.size())
        throw std::invalid_argument("map: the number of outcomes must equal the number of points");
    if (!impl_->in_lanes) {
        for (std::size_t i = 0; i < points.size(); ++i) outcomes[i] = solve_by_run(points[i]);
        return;
    }
    constexpr std::size_t kChunk = 1024;  // bounds the memory of a call
    if (impl_->record) {
        for (std::size_t start = 0; start < points.size(); start += kChunk) {
            const std::size_t count = std::min(kChunk, points.size() - start);
            impl_->solve_as_record(points.subspan(start, count), outcomes.subspan(start, count));
        }
        return;
    }
    std::array<LanePoint, kChunk> from;
    std::array<LaneOutcome, kChunk> to;
    const LaneSolver solve_lanes = lane_solver();
    for (std::size_t start = 0; start < points.size(); start += kChunk) {
        const std::size_t count = std::min(kChunk, points.size() - start);
        for (std::size_t i = 0; i < count; ++i)
            from[i] = {points[start + i].frequency_ratio, points[start + i].amplitude_ratio, 0};
        solve_lanes(impl_->lanes, from.data(), to.data(), count);
        for (std::size_t i = 0; i < count; ++i)
            outcomes[start + i] =
                to[i].end == LaneEnd::unsolved ? solve_by_run(points[start + i]) : map_outcome_of(to[i]);
    }
}

MapOutcome map_outcome(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& asked) {
    SolverOptions options = with_gravity(asked.gravity_m_s2);
    options.model = asked.model;
    options.integrator = asked.integrator;
    options.newmark_step_s = asked.newmark_step_s;
    options.vertical = asked.vertical;
    options.contact = asked.contact;
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
    return impl_->wave.motion.scaled(impl_->motion_scale(point));
}

bool StabilityMap::in_lanes() const noexcept { return impl_->in_lanes; }
double StabilityMap::frequency_parameter_rad_s() const noexcept { return impl_->scale.frequency_parameter_rad_s; }
double StabilityMap::slenderness_rad() const noexcept { return impl_->scale.slenderness_rad; }
double StabilityMap::amplitude_unit_m_s2() const noexcept { return impl_->amplitude_unit_m_s2; }

MapOutcome outcome_along(const Specimen& specimen, const BaseMotion& motion, double gravity_m_s2) {
    const SolverOptions options = with_gravity(gravity_m_s2);
    const auto outcome = outcome_in_lanes(specimen, motion, options);
    return outcome ? *outcome : map_outcome(specimen, motion, options);
}

}  // namespace topple::solver
