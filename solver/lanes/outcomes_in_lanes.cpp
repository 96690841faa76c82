#include "solver/lanes/outcomes_in_lanes.hpp"

#include <algorithm>
#include <cmath>

#include "solver/lanes/lane_bodies.hpp"
#include "solver/lanes/record_lanes.hpp"
#include "solver/lanes/record_track.hpp"
#include "solver/lanes/wave_shape.hpp"

namespace topple::solver {
namespace {

double pivot_parameter_rad_s(double mass_kg, double radius_m, double inertia_kg_m2, double gravity_m_s2) {
    return std::sqrt(mass_kg * gravity_m_s2 * radius_m / (inertia_kg_m2 + mass_kg * radius_m * radius_m));
}

}  // namespace

bool MapOutcome::same_class(const MapOutcome& other) const noexcept {
    return outcome == other.outcome && direction == other.direction &&
           impacts_before_overturning == other.impacts_before_overturning;
}

SpecimenScale scale_of(const Specimen& specimen, double gravity_m_s2) {
    if (const auto pivots = pivots_of(specimen)) {
        const bool left = pivots->alpha_left_rad <= pivots->alpha_right_rad;
        return {left ? pivots->alpha_left_rad : pivots->alpha_right_rad,
                pivot_parameter_rad_s(specimen.blocks[0].mass_kg, left ? pivots->radius_left_m : pivots->radius_right_m,
                                      pivots->inertia_kg_m2, gravity_m_s2)};
    }
    Block whole = specimen.blocks.front();
    for (std::size_t i = 1; i < specimen.blocks.size(); ++i) whole.height_m += specimen.blocks[i].height_m;
    return {whole.slenderness_rad(), whole.frequency_parameter_rad_s(gravity_m_s2)};
}

MapOutcome map_outcome_of(const LaneOutcome& from) {
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

MapOutcome map_outcome_of(const RecordRunEnd& from, bool is_foot) {
    MapOutcome to = map_outcome_of(LaneOutcome{from.end, from.side, from.impacts, 0, 0.0});
    if (is_foot && from.end != LaneEnd::overturning && from.face >= 0)
        to.resting_face = static_cast<std::uint16_t>(from.face);
    return to;
}

bool lanes_cover(const Specimen& specimen, const SolverOptions& options) {
    if (specimen.beam || specimen.initial_velocity_m_s) return false;  // for the scalar solver to refuse
    return specimen.blocks.size() == 1 && !specimen.friction && !starts_turning(specimen) && !options.vertical &&
           specimen.restitution.model != RestitutionModel::random && options.integrator == Integrator::high_order &&
           (options.model == Model::automatic || options.model == Model::rocking);
}

bool wave_lanes_cover(const Specimen& specimen, const SolverOptions& options) {
    return !specimen.foot && lanes_cover(specimen, options);
}

namespace {

/// Pieces so short that the record lanes, which take one at least in a step, are the quicker ones.
bool is_record(const BaseMotion& motion, double frequency_parameter_rad_s) {
    constexpr double kShort = 0.1;  // times p, on average
    const auto has_harmonics = [](const MotionPiece& piece) { return !piece.harmonics.empty(); };
    const auto& pieces = motion.pieces();
    if (std::any_of(pieces.begin(), pieces.end(), has_harmonics)) return false;
    return frequency_parameter_rad_s * motion.end_s() < kShort * static_cast<double>(pieces.size());
}

/// The same for specimens at these indices, by the lanes of records or those of waves.
using Outcomes = std::vector<std::optional<MapOutcome>>;
struct LaneWork {
    std::span<const Specimen> specimens;
    std::span<const MotionScale> scales;  // empty: as it is
    const BaseMotion& motion;
    double gravity_m_s2;
    MotionScale scale(std::size_t i) const { return scales.empty() ? MotionScale{} : scales[i]; }
};

void solve_as_record(const LaneWork& work, const std::vector<std::size_t>& index, Outcomes& outcomes) {
    if (index.empty()) return;
    const RecordPieces pieces(work.motion);
    RecordTrack track = pieces.track();
    track.tells_all = false;
    LaneBodies bodies;
    std::vector<RecordRun> runs;
    for (const std::size_t i : index)
        runs.push_back({&bodies.add(work.specimens[i], 1.0, work.gravity_m_s2),
                        work.scale(i).amplitude / work.gravity_m_s2, work.scale(i).frequency});
    std::vector<RecordRunEnd> ends(runs.size());
    record_solver()(track, runs.data(), ends.data(), runs.size());
    for (std::size_t n = 0; n < ends.size(); ++n)
        if (ends[n].end != LaneEnd::unsolved)
            outcomes[index[n]] = map_outcome_of(ends[n], work.specimens[index[n]].foot.has_value());
}

void solve_as_wave(const LaneWork& work, const std::vector<std::size_t>& index, double axes_rad_s, Outcomes& outcomes) {
    if (index.empty()) return;
    std::vector<LaneBody> bodies;
    std::vector<LanePoint> points;
    for (const std::size_t i : index) {
        points.push_back({work.scale(i).frequency / axes_rad_s, work.scale(i).amplitude, bodies.size()});
        bodies.push_back(lane_body(work.specimens[i], axes_rad_s, work.gravity_m_s2));
    }
    const WaveShape shape(work.motion, 1.0, 1.0);
    const LaneProblem problem{bodies.data(), shape.pieces().data(), shape.pieces().size(), 1.0 / work.gravity_m_s2};
    std::vector<LaneOutcome> ends(points.size());
    lane_solver()(problem, points.data(), ends.data(), points.size());
    for (std::size_t n = 0; n < ends.size(); ++n)
        if (ends[n].end != LaneEnd::unsolved) outcomes[index[n]] = map_outcome_of(ends[n]);
}

}  // namespace

std::vector<std::optional<MapOutcome>> outcomes_in_lanes(std::span<const Specimen> specimens, const BaseMotion& motion,
                                                         const SolverOptions& options,
                                                         std::span<const MotionScale> scales) {
    Outcomes outcomes(specimens.size());
    if (motion.empty() || !(motion.end_s() > 0.0)) return outcomes;
    std::vector<std::size_t> along_record, along_wave;
    double axes_rad_s = 0.0;  // one time scale, so that all lanes go through the motion at the same pace
    bool any_record = false;
    for (std::size_t i = 0; i < specimens.size(); ++i) {
        if (!lanes_cover(specimens[i], options)) continue;
        validate(specimens[i]);
        if (axes_rad_s == 0.0) {
            axes_rad_s = scale_of(specimens[i], options.gravity_m_s2).frequency_parameter_rad_s;
            any_record = is_record(motion, axes_rad_s);
        }
        (any_record || specimens[i].foot ? along_record : along_wave).push_back(i);
    }
    // Cutting up a wave takes as long as a few feet step by step.
    constexpr std::size_t kFewFeet = 4;
    if (!any_record && along_record.size() < kFewFeet) along_record.clear();
    const LaneWork work{specimens, scales, motion, options.gravity_m_s2};
    solve_as_record(work, along_record, outcomes);
    solve_as_wave(work, along_wave, axes_rad_s, outcomes);
    return outcomes;
}

std::optional<MapOutcome> outcome_in_lanes(const Specimen& specimen, const BaseMotion& motion,
                                           const SolverOptions& options) {
    return outcomes_in_lanes({&specimen, 1}, motion, options).front();
}

}  // namespace topple::solver
