// What one run measured that can teach something of its specimen, and how well a possible specimen explains it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/measured.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::learn {

// Errors of what is compared: instruments and comparison as of a run's verdict (docs/report.md#agreement), times the
// square root of the excursion's number, because every impact adds an error of the model's own.
inline constexpr double kPeakError_ratio = 0.01;       ///< of the peak of the first excursion
inline constexpr double kTimeError_s = 0.002;          ///< of the first impact
inline constexpr double kFallError_s = 0.01;           ///< of the time of overturning
inline constexpr double kStackPeakError_ratio = 0.05;  ///< of a stack's blocks: no model follows them closer
inline constexpr std::size_t kExcursions = 6;          ///< that are compared; in free rocking:
inline constexpr std::size_t kExcursionsFree = 12;
/// Of the amplitude of the achieved motion, which is as uncertain as the amplitude that a run's report identifies.
inline constexpr double kMotionError_ratio = 0.005;
/// The features of one run share errors (motion, sensor), so all together count as so many independent ones at most.
inline constexpr double kFeaturesCounted = 4.0;
inline constexpr double kWrongOutcome = 0.02;  ///< probability of an observed outcome that the specimen does not give
inline constexpr double kMisfitMax = 5.0;      ///< rms of the best draw, in errors, above which a run teaches nothing

/// One measured number.
struct Feature {
    enum class Kind {
        excursion_peak,    ///< signed, rad; of excursion `index` of a single block
        impact_time,       ///< s; of the impact that ends it
        block_peak,        ///< rad, largest of block `index` of a stack
        overturning_time,  ///< s
    };
    Kind kind = Kind::excursion_peak;
    std::size_t index = 0;
    double value = 0.0, error = 0.0;
};
std::string name(const Feature& feature);  ///< "peak of excursion 1", "time of impact 1", ...
std::string_view unit(const Feature& feature) noexcept;

enum class EvidenceKind {
    rotation,  ///< features of a rotation sensor or camera, and the outcome
    mark,      ///< the outcome alone, as the operator marked it
    none,
};
std::string_view name(EvidenceKind kind) noexcept;

struct RunEvidence {
    std::filesystem::path folder;
    std::string sha256;  ///< of run.mcap
    EvidenceKind kind = EvidenceKind::none;
    std::string left_out;            ///< why this run is not used; empty: it is
    std::vector<std::string> notes;  ///< worth knowing though it is used
    experiment::Experiment experiment;
    compare::AchievedMotion motion;  ///< in the specimen's plane
    compare::SpecimenMeasurement measured;
    double clock_error_s = 0.0;  ///< of a camera: of all times alike, taken as if of each
    double free_from_s = 0.0;    ///< the platen moves no more
    std::vector<Feature> features;

    const solver::Specimen& specimen() const { return experiment.specimens.front(); }
};

/// Reads the folder, identifies what the platen did and what was measured. Throws InputError for what is no run folder
/// or has not exactly one specimen.
RunEvidence read_evidence(const std::filesystem::path& run_folder);

/// What a possible specimen would have shown in this run.
struct Explanation {
    bool is_possible = false;       ///< the solver could follow it
    bool is_outcome_right = false;  ///< also true where none was measured
    std::vector<std::optional<double>> features;
};
/// `motion_factor` multiplies the accelerations of the platen.
Explanation explain(const RunEvidence& run, const solver::Specimen& possible, double motion_factor = 1.0);

/// Natural logarithm of the probability of what was measured, up to a constant of the run. A feature that is missing
/// counts as 25 errors away; beyond 5 errors the penalty goes on linearly (Huber 1964).
double log_likelihood(const RunEvidence& run, const Explanation& explanation);
/// Power of the likelihood: min(1, 4/n) for shared errors, and n/chi^2 of the best draw where that is less than 1
/// (Birge 1932); 0 where even the best draw is more than kMisfitMax errors off. `best_log_likelihood` is of all draws.
double power_of(const RunEvidence& run, double best_log_likelihood);
/// Rms distance of the best draw in errors; 0 without features.
double misfit_of(const RunEvidence& run, double best_log_likelihood);

}  // namespace topple::hil::learn
