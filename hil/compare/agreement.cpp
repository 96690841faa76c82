#include "hil/compare/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/compare/rotation_statistics.hpp"
#include "hil/compare/zero_phase.hpp"

namespace topple::hil {
namespace {

using solver::Outcome;

// A predicted uplift that the rotation sensors could not have told from rest.
bool is_below_the_sensors(const ComparisonInput& input) {
    const std::vector<double>& peak_rad = input.predicted.prediction.peak_rotation_rad;
    if (!input.measured.has_rotation() || peak_rad.size() != input.measured.blocks.size()) return false;
    for (std::size_t block = 0; block < peak_rad.size(); ++block)
        if (peak_rad[block] > input.measured.blocks[block].threshold_rad) return false;
    return true;
}

bool same_outcome(const ComparisonInput& input, Agreement& agreement) {
    const Outcome predicted = *input.predicted.prediction.outcome;
    const Outcome measured = *input.measured.outcome;
    const MeasurementSource source = input.measured.source;
    if (predicted == measured) return true;
    if (predicted == Outcome::rocking && measured == Outcome::translation && is_below_the_sensors(input)) {
        agreement.reasons.push_back(fmt::format(
            "rocking was predicted, but only by {:.2g} rad, less than the sensors can tell from rest",
            largest_magnitude(input.predicted.prediction.peak_rotation_rad)));
        return true;
    }
    if (source == MeasurementSource::operator_mark && is_overturning(predicted) && is_overturning(measured))
        return true;
    if (predicted == Outcome::sliding && measured == Outcome::translation) {
        agreement.reasons.push_back(
            "sliding was predicted; no uplift was measured and slip cannot be seen by the sensors");
        return true;
    }
    return false;
}

// Under a slowly growing motion a small tilt decides to which side a block lifts first.
bool side_is_undecided(const ComparisonInput& input, solver::Side predicted) {
    return std::any_of(input.perturbed.begin(), input.perturbed.end(), [&](const PredictedRotation& member) {
        const auto side = predicted_side(member, input.measured.grid);
        return side && *side != predicted;
    });
}

void compare_outcomes(const ComparisonInput& input, Agreement& agreement) {
    const solver::Prediction& prediction = input.predicted.prediction;
    agreement.outcome_equal = same_outcome(input, agreement);
    if (!*agreement.outcome_equal)
        agreement.reasons.push_back(fmt::format("outcome: predicted {}, measured {}",
                                                name(*prediction.outcome), name(*input.measured.outcome)));
    if (!*agreement.outcome_equal || !input.measured.side) return;
    const std::optional<solver::Side> predicted = is_overturning(prediction.outcome)
                                                      ? prediction.direction
                                                      : predicted_side(input.predicted, input.measured.grid);
    if (!predicted) return;
    if (!is_overturning(prediction.outcome) && side_is_undecided(input, *predicted)) {
        agreement.reasons.push_back(
            "side of the first uplift: not judged, parameters one standard deviation off change it");
        return;
    }
    agreement.side_equal = *predicted == *input.measured.side;
    if (!*agreement.side_equal)
        agreement.reasons.push_back(
            fmt::format("side: predicted {}, measured {}", name(*predicted), name(*input.measured.side)));
}

void judge(Criterion criterion, Agreement& agreement) {
    criterion.passed = std::abs(criterion.deviation) <= criterion.tolerance;
    if (!criterion.passed) {
        const std::string unit = criterion.relative || criterion.unit.empty() ? "" : " " + criterion.unit;
        const double factor = criterion.relative ? 100.0 : 1.0;
        agreement.reasons.push_back(
            fmt::format("{}: deviation {:+.3g}{}{} is beyond the tolerance of {:.3g}{}{}", criterion.name,
                        factor * criterion.deviation, criterion.relative ? " %" : "", unit,
                        factor * criterion.tolerance, criterion.relative ? " %" : "", unit));
    }
    agreement.criteria.push_back(std::move(criterion));
}

// Root of the summed squares over the parameters of half the difference between their plus and minus members.
// Members with another outcome are left out (their partner's distance from the prediction counts instead).
template <typename Quantity>
double spread(const ComparisonInput& input, const RotationStatistics& nominal, Quantity quantity) {
    double sum = 0.0;
    const std::optional<double> centre = quantity(nominal);
    for (std::size_t pair = 0; centre && pair + 1 < input.perturbed.size(); pair += 2) {
        double squares = 0.0;
        int count = 0;
        for (std::size_t k = pair; k < pair + 2; ++k) {
            if (input.perturbed[k].prediction.outcome != input.predicted.prediction.outcome) continue;
            const auto value = quantity(statistics_of(input.perturbed[k], input));
            if (!value) continue;
            squares += (*value - *centre) * (*value - *centre);
            ++count;
        }
        if (count > 0) sum += squares / count;
    }
    return std::sqrt(sum);
}

void compare_peaks(const ComparisonInput& input, const RotationStatistics& predicted,
                   const RotationStatistics& measured, Agreement& agreement) {
    for (std::size_t block = 0; block < predicted.peak_rad.size(); ++block) {
        const double expected = predicted.peak_rad[block];
        const bool fell =
            std::find(input.measured.blocks_overturned.begin(), input.measured.blocks_overturned.end(),
                      block) != input.measured.blocks_overturned.end();
        if (fell || expected < 3.0 * kRotationFloor_rad) continue;
        const double sigma = spread(
            input, predicted, [&](const RotationStatistics& s) { return std::optional(s.peak_rad[block]); });
        judge({.name = fmt::format("peak rotation of block {}", block),
               .unit = "rad",
               .predicted = expected,
               .measured = measured.peak_rad[block],
               .deviation = measured.peak_rad[block] / expected - 1.0,
               .tolerance = std::max(kPeakTolerance_ratio, kUncertaintySigmas * sigma / expected),
               .relative = true},
              agreement);
    }
}

void compare_impact_times(const ComparisonInput& input, const RotationStatistics& predicted,
                          const RotationStatistics& measured, Agreement& agreement) {
    const std::size_t count =
        std::min({predicted.impact_s.size(), measured.impact_s.size(), kImpactsCompared});
    for (std::size_t i = 0; i < count; ++i) {
        const double sigma = spread(input, predicted, [&](const RotationStatistics& s) {
            return i < s.impact_s.size() ? std::optional(s.impact_s[i]) : std::nullopt;
        });
        judge({.name = fmt::format("time of impact {}", i + 1),
               .unit = "s",
               .predicted = predicted.impact_s[i],
               .measured = measured.impact_s[i],
               .deviation = measured.impact_s[i] - predicted.impact_s[i],
               .tolerance = std::max(kImpactTimeTolerance_s, kUncertaintySigmas * sigma)},
              agreement);
    }
}

void compare_restitution(const ComparisonInput& input, const RotationStatistics& predicted,
                         const RotationStatistics& measured, Agreement& agreement) {
    agreement.restitution_predicted = predicted.restitution;
    agreement.restitution_measured = measured.restitution;
    if (input.specimen.blocks.size() != 1 || !measured.restitution) return;
    const auto& model = input.predicted.prediction.restitution;
    const double expected = predicted.restitution ? predicted.restitution->ratio
                            : model.empty()       ? 0.0
                                                  : model.front();
    if (!(expected > 0.0)) return;
    const double scatter =
        kUncertaintySigmas * std::hypot(measured.restitution->standard_error,
                                        predicted.restitution ? predicted.restitution->standard_error : 0.0);
    judge({.name = "apparent restitution",
           .unit = "",
           .predicted = expected,
           .measured = measured.restitution->ratio,
           .deviation = measured.restitution->ratio / expected - 1.0,
           .tolerance = std::max(kRestitutionTolerance_ratio, scatter / expected),
           .relative = true},
          agreement);
}

void compare_histories(const ComparisonInput& input, const RotationStatistics& predicted,
                       Agreement& agreement) {
    const EvenGrid& grid = input.measured.grid;
    const double until_s =
        predicted.impact_s.empty()
            ? grid.end_s()
            : predicted.impact_s[std::min(predicted.impact_s.size(), kImpactsCompared) - 1];
    std::vector<std::vector<double>> measured;
    for (const BlockMeasurement& block : input.measured.blocks) measured.push_back(block.filtered_rad);
    const HistoryDifference whole =
        history_difference(grid, input.predicted.filtered_rad, measured, grid.end_s());
    agreement.rotation_rms_rad = whole.rms_rad;
    agreement.rotation_rms_ratio = whole.ratio;
    const HistoryDifference early = history_difference(grid, input.predicted.filtered_rad, measured, until_s);
    if (!early.ratio || is_overturning(input.predicted.prediction.outcome)) return;
    double sum = 0.0;
    for (const PredictedRotation& member : input.perturbed)
        if (member.prediction.outcome == input.predicted.prediction.outcome)
            sum += 0.5 * std::pow(history_difference(grid, input.predicted.filtered_rad, member.filtered_rad,
                                                     until_s)
                                      .ratio.value_or(0.0),
                                  2);
    judge({.name = fmt::format("rotation history until t = {:.2f} s", until_s),
           .unit = "",
           .predicted = {},
           .measured = {},
           .deviation = *early.ratio,
           .tolerance = std::max(kHistoryTolerance_ratio, kUncertaintySigmas * std::sqrt(sum)),
           .relative = true},
          agreement);
}

void compare_overturning(const ComparisonInput& input, const RotationStatistics& predicted,
                         Agreement& agreement) {
    if (!predicted.overturn_s || !input.measured.overturn_time_s) return;
    const double sigma = spread(input, predicted, [](const RotationStatistics& s) { return s.overturn_s; });
    judge({.name = "time of overturning",
           .unit = "s",
           .predicted = predicted.overturn_s,
           .measured = input.measured.overturn_time_s,
           .deviation = *input.measured.overturn_time_s - *predicted.overturn_s,
           .tolerance = std::max(kOverturnTimeTolerance_s, kUncertaintySigmas * sigma)},
          agreement);
}

void compare_rotations(const ComparisonInput& input, Agreement& agreement) {
    const RotationStatistics predicted = statistics_of(input.predicted, input);
    const RotationStatistics measured = statistics_of(input.measured, input);
    compare_peaks(input, predicted, measured, agreement);
    compare_overturning(input, predicted, agreement);
    if (input.specimen.blocks.size() == 1 && !is_overturning(input.predicted.prediction.outcome))
        compare_impact_times(input, predicted, measured, agreement);
    compare_restitution(input, predicted, measured, agreement);
    compare_histories(input, predicted, agreement);
}

// Bridged by straight lines, a longer silence of a sensor would be compared as if the block had stood still.
bool rotation_is_complete(const SpecimenMeasurement& measured) {
    return measured.has_rotation() &&
           std::none_of(measured.blocks.begin(), measured.blocks.end(), [](const BlockMeasurement& block) {
               return block.gaps.longest_gap_s > kSensorLost_s;
           });
}

std::string why_not_judged(const ComparisonInput& input) {
    if (!input.not_comparable.empty()) return input.not_comparable;
    if (input.measured.discarded) return "discarded by the operator: " + *input.measured.discarded;
    if (!input.measured.outcome)
        return "nothing was measured: no rotation sensor and no observation (topple mark)";
    if (!input.predicted.prediction.outcome)
        return fmt::format("the prediction failed: {} at t = {:.4f} s",
                           name(input.predicted.prediction.status), input.predicted.prediction.status_time_s);
    return {};
}

}  // namespace

std::optional<std::string> Agreement::verdict() const {
    if (!agrees) return std::nullopt;
    return *agrees ? "agrees" : "disagrees";
}

Agreement compare(const ComparisonInput& input) {
    Agreement agreement;
    if (const std::string reason = why_not_judged(input); !reason.empty()) {
        agreement.reasons.push_back(reason);
        return agreement;
    }
    for (const PredictedRotation& member : input.perturbed) {
        if (!member.prediction.outcome) continue;  // failed: no outcome to be another one
        ++agreement.members;
        if (member.prediction.outcome != input.predicted.prediction.outcome) ++agreement.boundary_members;
    }
    if (const std::size_t failed = input.perturbed.size() - agreement.members; failed > 0)
        agreement.reasons.push_back(fmt::format(
            "{} of {} predictions with parameters one standard deviation off failed; they play no part", failed,
            input.perturbed.size()));
    compare_outcomes(input, agreement);
    bool agrees = *agreement.outcome_equal && agreement.side_equal.value_or(true);
    const bool with_rotation = rotation_is_complete(input.measured);
    if (*agreement.outcome_equal && with_rotation) compare_rotations(input, agreement);
    for (const Criterion& criterion : agreement.criteria) agrees = agrees && criterion.passed;
    agreement.agrees = agrees;
    if (!with_rotation)
        agreement.reasons.push_back(fmt::format("judged by outcome and side only: {}",
                                                input.measured.has_rotation()
                                                    ? "the rotation sensor was silent for too long in between"
                                                    : "no rotation was measured"));
    if (agreement.boundary_members > 0)
        agreement.reasons.push_back(
            fmt::format("close to a boundary: {} of {} predictions with parameters one standard "
                        "deviation off end in another outcome",
                        agreement.boundary_members, agreement.members));
    return agreement;
}

}  // namespace topple::hil
