#include "hil/compare/rotation_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

// Twice the sensor's threshold, so that noise makes no impacts; the same for prediction and measurement.
double noticeable_rad(const ComparisonContext& context) {
    double threshold = kRotationFloor_rad;
    for (const BlockMeasurement& block : context.measured.blocks) threshold = std::max(threshold, block.threshold_rad);
    return 2.0 * threshold;
}

/// Of a foot: after the last excursion that reached a face beside the standing one. Two pivots describe what follows.
double on_one_face_from_s(const std::vector<RockingLobe>& lobes, const solver::Specimen& specimen) {
    double from_s = 0.0;
    if (!specimen.foot) return from_s;
    const std::vector<solver::FootFace> faces = solver::faces_of(*specimen.foot, specimen.blocks.front().mass_kg);
    const std::size_t stands = solver::standing_face(*specimen.foot);
    for (const RockingLobe& lobe : lobes) {
        const bool is_beyond = (stands > 0 && lobe.peak_rad < faces[stands - 1].slope_rad) ||
                               (stands + 1 < faces.size() && lobe.peak_rad > faces[stands + 1].slope_rad);
        if (is_beyond) from_s = std::max(from_s, lobe.end_s);
    }
    return from_s;
}

RotationStatistics statistics(const std::vector<std::vector<double>>& rotation_rad, const ComparisonContext& context) {
    RotationStatistics result;
    const signal::EvenGrid& grid = context.measured.grid;
    const std::vector<double> times = grid.times_s();
    for (const std::vector<double>& block : rotation_rad)
        result.peak_rad.push_back(
            std::min(signal::largest_magnitude(within(times, block, 0.0, grid.end_s())), std::numbers::pi / 2.0));
    if (rotation_rad.size() != 1) return result;
    const double noticeable = noticeable_rad(context);
    const std::vector<RockingLobe> lobes = find_lobes(grid, rotation_rad.front(), noticeable, 0.0);
    result.impact_s = impact_times_s(lobes);
    const Slenderness alpha = slenderness_of(context.specimen);
    const double smallest_rad = std::max(noticeable, 0.01 * std::min(alpha.left_rad, alpha.right_rad));
    result.restitution = apparent_restitution(
        lobes, alpha, std::max(context.free_from_s, on_one_face_from_s(lobes, context.specimen)), smallest_rad);
    return result;
}

}  // namespace

Slenderness slenderness_of(const solver::Specimen& specimen) {
    if (const auto pivots = solver::pivots_of(specimen)) return {pivots->alpha_left_rad, pivots->alpha_right_rad};
    const double alpha_rad = specimen.blocks.empty() ? 0.0 : specimen.blocks.front().slenderness_rad();
    return {alpha_rad, alpha_rad};
}

RotationStatistics statistics_of(const PredictedRotation& predicted, const ComparisonContext& context) {
    RotationStatistics result = statistics(predicted.filtered_rad, context);
    result.overturn_s = predicted.prediction.overturn_time_s;
    return result;
}

RotationStatistics statistics_of(const SpecimenMeasurement& measured, const ComparisonContext& context) {
    std::vector<std::vector<double>> rotation_rad;
    for (const BlockMeasurement& block : measured.blocks) rotation_rad.push_back(block.filtered_rad);
    RotationStatistics result = statistics(rotation_rad, context);
    result.overturn_s = measured.overturn_time_s;
    return result;
}

HistoryDifference history_difference(const signal::EvenGrid& grid, const std::vector<std::vector<double>>& expected_rad,
                                     const std::vector<std::vector<double>>& other_rad, double until_s) {
    HistoryDifference result;
    const std::vector<double> times = grid.times_s();
    for (std::size_t block = 0; block < std::min(expected_rad.size(), other_rad.size()); ++block) {
        const std::vector<double> expected = within(times, expected_rad[block], 0.0, until_s);
        std::vector<double> difference = within(times, other_rad[block], 0.0, until_s);
        for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= expected[i];
        const double rms_rad = signal::root_mean_square(difference);
        if (rms_rad < result.rms_rad) continue;
        result.rms_rad = rms_rad;
        const double level_rad = signal::root_mean_square(expected);
        result.ratio = level_rad > 0.5 * kRotationFloor_rad ? std::optional(rms_rad / level_rad) : std::nullopt;
    }
    return result;
}

}  // namespace topple::hil::compare
