// The few numbers by which rotation histories are compared; the same extraction for prediction and
// measurement.
#pragma once

#include <optional>
#include <vector>

#include "hil/compare/measured.hpp"
#include "hil/compare/predicted_rotation.hpp"
#include "hil/compare/rocking_lobes.hpp"

namespace topple::hil::compare {

/// What is compared: one specimen and its measurement, whose grid all histories are on.
struct ComparisonContext {
    const solver::Specimen& specimen;
    const SpecimenMeasurement& measured;
    double free_from_s = 0.0;  ///< the base moves no more
};

Slenderness slenderness_of(const solver::Specimen& specimen);

struct RotationStatistics {
    std::vector<double> peak_rad;  ///< per block, filtered, from t = 0 on
    std::vector<double> impact_s;  ///< zero crossings of block 0 between noticeable excursions; single blocks only
    std::optional<double> overturn_s;
    std::optional<ApparentRestitution> restitution;  ///< single blocks in free rocking only
};

RotationStatistics statistics_of(const PredictedRotation& predicted, const ComparisonContext& context);
RotationStatistics statistics_of(const SpecimenMeasurement& measured, const ComparisonContext& context);

struct HistoryDifference {
    double rms_rad = 0.0;         ///< of the worst block
    std::optional<double> ratio;  ///< per rms of the expected history of that block; empty if that hardly moves
};

/// Over 0 <= t <= until_s; all histories on `grid`.
HistoryDifference history_difference(const signal::EvenGrid& grid, const std::vector<std::vector<double>>& expected_rad,
                                     const std::vector<std::vector<double>>& other_rad, double until_s);

}  // namespace topple::hil::compare
