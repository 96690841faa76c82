// Predictions by contact dynamics: confirmed by half the time step, and from where the rocking model is refused.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "solver/predict.hpp"
#include "solver/run.hpp"

namespace topple::solver {
namespace {

constexpr double kHalfPi = 1.5707963267948966;

/// A peak that half the time step moves by more than this is not confirmed.
double tolerance_rad(double peak_rad) { return 0.01 * std::abs(peak_rad) + 1e-4; }

/// Largest turning point of a block; 0 if there is none.
double largest_turn_rad(const Prediction& prediction, std::size_t block) {
    double largest_rad = 0.0;
    for (const TurningPoint& turn : prediction.turning_points)
        if (turn.block == block) largest_rad = std::max(largest_rad, std::abs(turn.rotation_rad));
    return largest_rad;
}

std::vector<TurningPoint> turns_of(const Prediction& prediction, std::size_t block) {
    std::vector<TurningPoint> turns;
    for (const TurningPoint& turn : prediction.turning_points)
        if (turn.block == block) turns.push_back(turn);
    return turns;
}

/// How many of a block's first turning points are the same in both.
std::size_t agreeing(const std::vector<TurningPoint>& a, const std::vector<TurningPoint>& b) {
    std::size_t count = 0;
    while (count < std::min(a.size(), b.size()) &&
           std::abs(a[count].rotation_rad - b[count].rotation_rad) <= tolerance_rad(a[count].rotation_rad))
        ++count;
    return count;
}

/// Turning points of all blocks before the first one that is another in `b`; a turning point that only one of the two
/// has counts as another.
std::size_t agreeing_turns(const Prediction& a, const Prediction& b) {
    double until_s = std::numeric_limits<double>::infinity();
    for (std::size_t block = 0; block < a.peak_rotation_rad.size(); ++block) {
        const auto turns = turns_of(a, block);
        const std::size_t count = agreeing(turns, turns_of(b, block));
        if (count < turns.size()) until_s = std::min(until_s, turns[count].time_s);
    }
    std::size_t count = 0;
    for (const TurningPoint& turn : a.turning_points) count += turn.time_s < until_s ? 1u : 0u;
    return count;
}

/// The first three turning points of a block, or all that there are.
bool begins_alike(const Prediction& a, const Prediction& b, std::size_t block) {
    constexpr std::size_t kFirst = 3;
    const auto one = turns_of(a, block), other = turns_of(b, block);
    return agreeing(one, other) >= std::min({kFirst, one.size(), other.size()});
}

ContactReport::HalfStep compare(const Prediction& result, const Prediction& half) {
    ContactReport::HalfStep report;
    report.outcome = half.outcome;
    report.turning_points = agreeing_turns(result, half);
    report.is_confirmed = result.outcome && result.outcome == half.outcome && result.direction == half.direction &&
                          result.blocks_overturned == half.blocks_overturned;
    for (std::size_t i = 0; i < result.peak_rotation_rad.size() && i < half.peak_rotation_rad.size(); ++i) {
        const double peak_rad = result.peak_rotation_rad[i], turn_rad = largest_turn_rad(result, i);
        const double of_peak_rad = std::abs(peak_rad - half.peak_rotation_rad[i]);
        const bool falls = std::find(result.blocks_overturned.begin(), result.blocks_overturned.end(), i) !=
                           result.blocks_overturned.end();
        // What a block does before it falls is no part of its peak.
        const double of_turn_rad = falls ? 0.0 : std::abs(turn_rad - largest_turn_rad(half, i));
        report.peak_tolerance_rad = std::max(report.peak_tolerance_rad, tolerance_rad(peak_rad));
        report.peak_difference_rad = std::max({report.peak_difference_rad, of_peak_rad, of_turn_rad});
        if (of_peak_rad > tolerance_rad(peak_rad) || of_turn_rad > tolerance_rad(turn_rad) ||
            (!falls && !begins_alike(result, half, i)))
            report.is_confirmed = false;
    }
    return report;
}

SolverOptions with_half_step(SolverOptions options) {
    options.contact.time_step_s *= 0.5;
    options.history_step_s = 0.0;
    return options;
}

double end_s(const BaseMotion& motion, const SolverOptions& options) {
    return std::max(motion.end_s(), options.vertical ? options.vertical->end_s() : 0.0);
}

/// Follows the motion from where the run stands, until `until_s`.
void advance(RockingRun& run, const BaseMotion& motion, double until_s) {
    if (motion.start_s() > run.time_s()) run.coast(std::min(until_s, motion.start_s()));
    for (const MotionPiece& piece : motion.pieces())
        if (piece.end_s > run.time_s() && run.time_s() < until_s) run.advance(piece, until_s);
}

void settle(RockingRun& run, const BaseMotion& motion, const SolverOptions& options) {
    advance(run, motion, motion.end_s());
    run.settle(std::max(run.time_s(), end_s(motion, options)) + options.settle_limit_s);
}

/// Blocks that the rocking model has seen fall, appended to what contact dynamics says of the others.
void append_fallen(Prediction& later, const Prediction& before) {
    const std::size_t blocks = before.peak_rotation_rad.size();
    std::vector<double> side(blocks, 1.0);
    for (std::size_t i = 0; i < blocks && !before.history.empty(); ++i)
        side[i] = before.history.back().rotation_rad[i] < 0.0 ? -1.0 : 1.0;
    for (std::size_t i = later.peak_rotation_rad.size(); i < blocks; ++i) {
        later.peak_rotation_rad.push_back(kHalfPi);
        later.interface_slip.emplace_back();
        for (Impact& impact : later.impacts) {
            impact.rotation_rate_before_rad_s.push_back(0.0);
            impact.rotation_rate_after_rad_s.push_back(0.0);
            impact.centre_velocity_before_m_s.push_back({0.0, 0.0});
            impact.centre_velocity_after_m_s.push_back({0.0, 0.0});
        }
        for (HistorySample& sample : later.history) {
            sample.rotation_rad.push_back(side[i] * kHalfPi);
            sample.rotation_rate_rad_s.push_back(0.0);
            sample.support.push_back(side[i] < 0.0 ? Support::left : Support::right);
            sample.centre_m.push_back({0.0, 0.0});
        }
    }
}

template <class T>
void prepend(std::vector<T>& later, std::vector<T> before) {
    before.insert(before.end(), std::make_move_iterator(later.begin()), std::make_move_iterator(later.end()));
    later = std::move(before);
}

/// One prediction of the two parts; `whole` is the rocking model's own, which has the breach.
Prediction joined(Prediction later, Prediction before, const Prediction& whole, double from_s) {
    const std::size_t blocks = before.peak_rotation_rad.size();
    append_fallen(later, before);
    for (std::size_t i = 0; i < blocks; ++i)
        later.peak_rotation_rad[i] = std::max(later.peak_rotation_rad[i], before.peak_rotation_rad[i]);
    if (!before.blocks_overturned.empty()) {
        later.direction = before.direction;
        later.overturn_time_s = before.overturn_time_s;
        prepend(later.blocks_overturned, before.blocks_overturned);
        if (later.outcome)
            later.outcome =
                later.blocks_overturned.size() == blocks ? Outcome::total_overturning : Outcome::partial_overturning;
    } else if (before.outcome == Outcome::rocking && later.outcome && !is_overturning(later.outcome)) {
        later.outcome = Outcome::rocking;
    }
    prepend(later.impacts, std::move(before.impacts));
    prepend(later.turning_points, std::move(before.turning_points));
    if (!later.history.empty() && !before.history.empty() && before.history.back().time_s >= from_s)
        before.history.pop_back();
    prepend(later.history, std::move(before.history));
    later.impacts_truncated = later.impacts_truncated || before.impacts_truncated;
    later.restitution = whole.restitution;
    later.friction_demand = before.friction_demand;
    later.left_validity = whole.left_validity;
    if (later.contact) later.contact->from_s = from_s;
    return later;
}

}  // namespace

Prediction predict_confirmed(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options) {
    Prediction result = follow(specimen, motion, options);
    if (result.contact) result.contact->half_step = compare(result, follow(specimen, motion, with_half_step(options)));
    return result;
}

Prediction predict_handing_over(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& asked,
                                bool confirms) {
    SolverOptions options = asked;
    options.model = Model::rocking;
    options.outcome_only = false;
    RockingRun all = RockingRun::watched(specimen, options);
    settle(all, motion, options);
    Prediction whole = all.result();
    if (!whole.left_validity) return whole;
    const auto hand_over = [&](const SolverOptions& at) {
        const double from_s = std::max(0.0, whole.left_validity->time_s - at.contact.time_step_s);
        RockingRun rocking = RockingRun::watched(specimen, at);
        advance(rocking, motion, from_s);
        if (rocking.time_s() < from_s) rocking.coast(from_s);
        RockingRun contact = RockingRun::contact_dynamics_from(rocking, specimen, at);
        settle(contact, motion, at);
        return joined(contact.result(), rocking.result(), whole, from_s);
    };
    Prediction result = hand_over(options);
    if (confirms && result.contact) result.contact->half_step = compare(result, hand_over(with_half_step(options)));
    return result;
}

}  // namespace topple::solver
