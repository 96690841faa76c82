// Does the model explain what was measured? One verdict, its criteria, and the reasons in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hil/compare/measured.hpp"
#include "hil/compare/predicted_rotation.hpp"
#include "hil/compare/rocking_lobes.hpp"

namespace topple::hil {

// Tolerances; a deviation is also accepted within three standard deviations of what the uncertainty of the
// specimen's parameters does to the quantity. Reasons: docs/report.md#agreement.
inline constexpr double kRestitutionTolerance_ratio =
    0.03;  ///< apparent restitution, measured against predicted; no widening
inline constexpr double kPeakTolerance_ratio = 0.05;     ///< peak rotation per block
inline constexpr double kImpactTimeTolerance_s = 0.010;  ///< each of the first three impacts
inline constexpr double kOverturnTimeTolerance_s = 0.050;
inline constexpr double kHistoryTolerance_ratio =
    0.10;  ///< rms of the difference per rms of the prediction, until then
inline constexpr std::size_t kImpactsCompared = 3;  ///< before phase differences grow into chaos
inline constexpr double kUncertaintySigmas = 3.0;

/// One standard deviation of what is not known of a specimen that was measured with care.
struct ParameterUncertainty {
    double restitution_ratio = 0.015;
    double tilt_rad = 0.002;
    double width_ratio = 0.005;
};

struct Criterion {
    std::string name;  ///< e.g. "peak rotation of block 0"
    std::string unit;  ///< of predicted and measured: "rad", "s", "" for a ratio
    std::optional<double> predicted, measured;
    double deviation = 0.0;  ///< relative where `relative`, else in `unit`
    double tolerance = 0.0;
    bool relative = false;
    bool passed = true;
};

struct Agreement {
    std::optional<bool>
        agrees;  ///< empty: nothing measured, discarded, or the test did not take place as planned
    std::optional<bool> outcome_equal;
    std::optional<bool> side_equal;  ///< overturning: side of the fall; rocking: side of the first uplift
    std::vector<Criterion> criteria;
    std::vector<std::string> reasons;  ///< in words, for the report
    std::optional<double>
        rotation_rms_rad;  ///< measured minus predicted, whole history, worst block, same filter
    std::optional<double> rotation_rms_ratio;  ///< the above per rms of the prediction
    std::optional<ApparentRestitution> restitution_measured, restitution_predicted;
    std::size_t boundary_members = 0;  ///< of the perturbed predictions, those that end in another outcome
    std::size_t members = 0;

    std::optional<std::string> verdict() const;  ///< "agrees", "disagrees" or empty
};

/// What the comparison needs of one specimen.
struct ComparisonInput {
    const solver::Specimen& specimen;
    const PredictedRotation& predicted;  ///< from the achieved motion (or the planned one)
    const SpecimenMeasurement& measured;
    std::vector<PredictedRotation> perturbed;  ///< pairs (minus, plus) per uncertain parameter; may be empty
    double free_from_s = 0.0;                  ///< the base moves no more
    std::string not_comparable;  ///< reason why the test cannot be judged (stop, fault); empty if it can
};

Agreement compare(const ComparisonInput& input);

/// The specimen with each uncertain parameter one standard deviation lower and higher: 6 specimens, in pairs.
std::vector<solver::Specimen> perturbed_specimens(const solver::Specimen& specimen,
                                                  const ParameterUncertainty& uncertainty);

/// Side of the first excursion of a predicted history above the floor, any block; empty without one.
std::optional<solver::Side> predicted_side(const PredictedRotation& predicted, const EvenGrid& grid);

Slenderness slenderness_of(const solver::Specimen& specimen);

}  // namespace topple::hil
