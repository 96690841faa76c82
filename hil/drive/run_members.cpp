#include "hil/drive/run_members.hpp"

#include <algorithm>
#include <limits>

namespace topple::hil::drive {
namespace {

/// `piece` later and multiplied; keeps the memory of `to`.
void set_delayed(const solver::MotionPiece& piece, double factor, double delay_s, solver::MotionPiece& to) {
    to = piece;
    to.start_s += delay_s;
    to.end_s += delay_s;
    for (double& coefficient : to.polynomial) coefficient *= factor;
    for (solver::HarmonicTerm& term : to.harmonics) {
        for (double& sine : term.sine_m_s2) sine *= factor;
        for (double& cosine : term.cosine_m_s2) cosine *= factor;
    }
}

solver::BodyEnd end_of(const solver::Prediction& prediction) {
    solver::BodyEnd end{prediction.outcome, prediction.direction, std::numeric_limits<double>::quiet_NaN()};
    if (solver::is_overturning(prediction.outcome)) {
        if (prediction.overturn_time_s) end.time_s = *prediction.overturn_time_s;
    } else if (prediction.settled_time_s) {
        end.time_s = *prediction.settled_time_s;
    }
    return end;
}

}  // namespace

RunMembers::RunMembers(const std::vector<solver::Specimen>& members, const solver::SolverOptions& options)
    : settle_limit_s_(options.settle_limit_s) {
    for (const solver::Specimen& member : members) runs_.emplace_back(member, options);
}

void RunMembers::follow(const solver::MotionPiece& line) {
    for (solver::RockingRun& run : runs_) run.advance(line, line.end_s);
}

std::vector<solver::BodyEnd> RunMembers::ends_along(const MotionAhead& motion, const RunAhead& how) const {
    std::vector<solver::BodyEnd> ends;
    ends.reserve(how.which.size());
    const auto& pieces = motion.motion().pieces();
    solver::MotionPiece piece;
    for (std::size_t i = 0; i < how.which.size(); ++i) {
        solver::RockingRun future = runs_[how.which[i]];
        const double factor = how.amplitude_factors.empty() ? 1.0 : how.amplitude_factors[i];
        const double skipped_s = future.time_s() - how.delay_s;
        const auto first = std::upper_bound(pieces.begin(), pieces.end(), skipped_s,
                                            [](double time_s, const auto& p) { return time_s < p.end_s; });
        for (auto next = first; next != pieces.end(); ++next) {
            set_delayed(*next, factor, how.delay_s, piece);
            future.advance(piece, piece.end_s);
        }
        future.settle(std::max(motion.motion().end_s() + how.delay_s, future.time_s()) + settle_limit_s_);
        ends.push_back(end_of(future.result()));
    }
    return ends;
}

double RunMembers::rotation_rad(std::size_t member, std::size_t block) const noexcept {
    return runs_[member].rotation_rad(block);
}

void RunMembers::keep_only(std::span<const std::size_t> members) {
    std::vector<solver::RockingRun> kept;
    for (const std::size_t member : members) kept.push_back(runs_[member]);
    runs_ = std::move(kept);
}

}  // namespace topple::hil::drive
