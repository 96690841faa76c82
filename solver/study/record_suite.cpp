#include "solver/study/record_suite.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "solver/lanes/lane_bodies.hpp"
#include "solver/lanes/outcomes_in_lanes.hpp"
#include "solver/lanes/record_lanes.hpp"
#include "solver/lanes/record_track.hpp"
#include "solver/predict.hpp"

namespace topple::solver {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi_2 = 1.57079632679489661923;
constexpr double kNever = std::numeric_limits<double>::infinity();

void require(bool allowed, const std::string& what) {
    if (!allowed) throw std::invalid_argument(what);
}

void validate(const SuitePoint& point, std::size_t index, std::size_t members) {
    const std::string where = "run " + std::to_string(index) + ": ";
    require(point.member < members, where + "member " + std::to_string(point.member) + " of " +
                                        std::to_string(members) + " members, counted from 0");
    require(std::isfinite(point.scale.amplitude), where + "the amplitude of its scale must be finite");
    require(std::isfinite(point.scale.frequency) && point.scale.frequency > 0.0,
            where + "the frequency of its scale must be finite and above 0");
}

/// Largest rotation of a whole run over the slenderness of its side.
double peak_ratio(const Specimen& specimen, const Prediction& prediction, double gravity_m_s2) {
    const auto& peaks = prediction.peak_rotation_rad;
    const double peak_rad = peaks.empty() ? 0.0 : *std::max_element(peaks.begin(), peaks.end());
    const auto pivots = pivots_of(specimen);
    if (!pivots) return peak_rad / scale_of(specimen, gravity_m_s2).slenderness_rad;
    const auto over_side = [&](double rotation_rad) {
        return std::abs(rotation_rad) / (rotation_rad < 0.0 ? pivots->alpha_left_rad : pivots->alpha_right_rad);
    };
    // Turning points are kept up to a number; the peak is not.
    double largest = peak_rad / std::max(pivots->alpha_left_rad, pivots->alpha_right_rad);
    if (!specimen.initial_rotation_rad.empty())
        largest = std::max(largest, over_side(specimen.initial_rotation_rad[0]));
    for (const TurningPoint& turn : prediction.turning_points)
        largest = std::max(largest, over_side(turn.rotation_rad));
    if (prediction.resting_face && specimen.foot)  // to which it may have rolled without a turning point
        largest = std::max(
            largest,
            over_side(faces_of(*specimen.foot, specimen.blocks[0].mass_kg).at(*prediction.resting_face).slope_rad));
    if (prediction.direction)
        largest = std::max(largest, over_side(prediction.direction == Side::left ? -kPi_2 : kPi_2));
    return largest;
}

double end_time_s(const Prediction& prediction) {
    if (is_overturning(prediction.outcome)) return prediction.overturn_time_s.value_or(kNever);
    if (prediction.outcome == Outcome::translation) return 0.0;
    return prediction.settled_time_s.value_or(kNever);
}

}  // namespace

struct RecordSuite::Impl {
    BaseMotion record;
    SolverOptions options;
    std::optional<RecordPieces> pieces;  // unless the base never moves

    Impl(const BaseMotion& along, const SolverOptions& asked) : record(along), options(asked) {
        options.history_step_s = 0.0;
        options.outcome_only = false;
        validate(options);
        if (record.end_s() > 0.0) pieces.emplace(record);
    }

    /// For the lanes; null for a specimen that they do not cover.
    std::vector<const LaneBody*> bodies_of(std::span<const Specimen> members, LaneBodies& kept) const {
        std::vector<const LaneBody*> bodies(members.size(), nullptr);
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (!pieces || !lanes_cover(members[i], options)) continue;
            topple::solver::validate(members[i]);
            bodies[i] = &kept.add(members[i], 1.0, options.gravity_m_s2);
        }
        return bodies;
    }

    SuiteRun run_of(const RecordRunEnd& from, double frequency, bool is_foot) const {
        SuiteRun run;
        run.outcome = from.end == LaneEnd::overturning ? Outcome::overturning
                      : from.end == LaneEnd::rocking   ? Outcome::rocking
                                                       : Outcome::translation;
        if (from.end == LaneEnd::overturning) run.direction = from.side < 0 ? Side::left : Side::right;
        if (is_foot && run.outcome != Outcome::overturning && from.face >= 0)
            run.resting_face = static_cast<std::size_t>(from.face);
        run.uplifted = from.lifted;
        run.peak_rotation_ratio = from.peak_ratio;
        const double end_s = from.time / frequency;
        const bool is_settled = end_s <= record.end_s() / frequency + options.settle_limit_s;
        run.end_time_s = is_settled ? end_s : kNever;
        return run;
    }
};

RecordSuite::RecordSuite(const BaseMotion& record, const SolverOptions& options)
    : impl_(std::make_unique<Impl>(record, options)) {}
RecordSuite::~RecordSuite() = default;
RecordSuite::RecordSuite(RecordSuite&&) noexcept = default;
RecordSuite& RecordSuite::operator=(RecordSuite&&) noexcept = default;

const BaseMotion& RecordSuite::record() const noexcept { return impl_->record; }

void RecordSuite::solve(std::span<const Specimen> members, std::span<const SuitePoint> points,
                        std::span<SuiteRun> runs) const {
    require(points.size() == runs.size(), "record suite: the number of results must equal the number of runs");
    for (std::size_t i = 0; i < points.size(); ++i) validate(points[i], i, members.size());
    LaneBodies kept;
    const std::vector<const LaneBody*> bodies = impl_->bodies_of(members, kept);
    std::vector<RecordRun> in_lanes;
    std::vector<std::size_t> index;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& [member, scale] = points[i];
        if (!bodies[member]) {
            runs[i] = solve_by_run(members[member], scale);
            continue;
        }
        in_lanes.push_back({bodies[member], scale.amplitude / impl_->options.gravity_m_s2, scale.frequency});
        index.push_back(i);
    }
    if (in_lanes.empty()) return;
    std::vector<RecordRunEnd> ends(in_lanes.size());
    record_solver()(impl_->pieces->track(), in_lanes.data(), ends.data(), ends.size());
    for (std::size_t n = 0; n < ends.size(); ++n) {
        const SuitePoint& point = points[index[n]];
        runs[index[n]] = ends[n].end == LaneEnd::unsolved
                             ? solve_by_run(members[point.member], point.scale)
                             : impl_->run_of(ends[n], point.scale.frequency, members[point.member].foot.has_value());
    }
}

SuiteRun RecordSuite::solve_by_run(const Specimen& specimen, const MotionScale& scale) const {
    const Prediction prediction = follow_scaled(specimen, impl_->record, scale, impl_->options);
    SuiteRun run;
    run.status = prediction.status;
    run.outcome = prediction.outcome;
    run.direction = prediction.direction;
    run.resting_face = prediction.resting_face;
    run.uplifted = prediction.outcome == Outcome::rocking || is_overturning(prediction.outcome);
    const bool is_solved = prediction.outcome.has_value();
    run.peak_rotation_ratio = is_solved ? peak_ratio(specimen, prediction, impl_->options.gravity_m_s2) : kNoNumber;
    run.end_time_s = is_solved ? end_time_s(prediction) : kNoNumber;
    return run;
}

bool RecordSuite::in_lanes(const Specimen& specimen) const {
    return impl_->pieces && lanes_cover(specimen, impl_->options);
}

}  // namespace topple::solver
