// What the solver says about an experiment before anything moves: one answer per specimen, with its uncertainty.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/plan/ensemble_spread.hpp"
#include "solver/outcome.hpp"
#include "solver/predict.hpp"
#include "solver/study/critical_drop.hpp"
#include "solver/study/outcome_boundary.hpp"
#include "solver/study/rounding.hpp"

namespace topple::hil::plan {

/// Members of the ensembles that a test is judged by, before and after it.
inline constexpr std::size_t kTestEnsemble = 200;

struct PredictionRequest {
    std::string model;                        ///< a name of model_names(); empty: the experiment's
    std::size_t ensemble = 0;                 ///< members, of a members table all; 0: the specimen as described only
    std::optional<std::uint64_t> seed;        ///< of the ensemble; left out: the experiment's
    unsigned threads = 0;                     ///< 0: one per processor
    double history_step_s = 0.0;              ///< > 0: histories at this step and at every event
    bool after_validity = false;              ///< contact dynamics goes on where the full model leaves its validity
    const std::atomic<bool>* stop = nullptr;  ///< set: no further members are begun, and Stopped is thrown
};

/// Somebody did not wish to wait for the answer.
class Stopped : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What became of one member of an ensemble.
struct EnsembleMember {
    std::optional<solver::Outcome> outcome;  ///< empty: its solution failed
    std::optional<solver::Side> direction;
    double weight = 1.0;           ///< counts as so many members of equal weight (EnsembleDraw)
    bool rests_elsewhere = false;  ///< of a foot: on another face than the one on which it stood
};

/// Members that are followed to the end, for their peaks and impacts; of any further ones only the outcome is computed.
inline constexpr std::size_t kFollowedMax = 1000;

/// Least changes of the planned motion, of amplitude alone and of frequency alone, by which the specimen as described
/// has another outcome; empty: none within `searched`.
struct NearestBoundaries {
    solver::BoundarySearch searched;
    std::optional<solver::OutcomeBoundary> amplitude, frequency;
};

/// What multiple_impact says beyond a prediction.
struct BouncingReport {
    std::vector<double> apparent_restitution;  ///< per half cycle
    solver::RoundingEffect rounding;
};

/// What a constant pulse would do if the base coasted on after it, as an air track does, instead of braking.
struct Unbraked {
    std::optional<solver::Outcome> outcome;  ///< empty: the solution failed
    std::optional<solver::Side> direction;
    bool is_same = false;  ///< outcome and direction as with the braking
};

struct SpecimenPrediction {
    std::string model = "full";              ///< that predicted it; "slide_rock" where "full" met friction
    solver::Prediction prediction;           ///< of the specimen as described
    std::vector<EnsembleMember> members;     ///< empty without an ensemble
    EnsembleSpread spread;                   ///< of the members
    std::optional<BouncingReport> bouncing;  ///< of model multiple_impact only
    std::optional<Unbraked> unbraked;        ///< of a constant pulse that a table brakes only
    /// With an ensemble only; empty also where the motion cannot be varied (the base rests, a coupled air track) or the
    /// solution failed.
    std::optional<NearestBoundaries> boundaries;
};

/// An air track's block with its slider's motion prescribed and with both moving each other.
struct CouplingPrediction {
    std::optional<solver::Outcome> prescribed_outcome, coupled_outcome;  ///< empty: the solution failed
    solver::CriticalDrop critical;                                       ///< least drop heights that overturn, m
};

struct ExperimentPrediction {
    std::string model = "full";
    std::optional<CouplingPrediction> coupling;  ///< of an air track with one block that the coupled model covers
    experiment::UncertaintySection uncertainty;  ///< of the ensembles
    std::vector<SpecimenPrediction> specimens;   ///< in file order; empty for an assembly, or if nothing stands there
    std::optional<solver::AssemblyPrediction> assembly;
};

/// Options of a model for this experiment. Throws InputError for an unknown name.
solver::SolverOptions solver_options(const experiment::Experiment& experiment, std::string_view model);

/// Predicts every specimen along the planned motion in its plane. The result does not depend on the number of threads.
/// Throws InputError for an unknown model, a specimen the model refuses, or an ensemble that is not the members
/// table's.
ExperimentPrediction predict_experiment(const experiment::Experiment& experiment, const PredictionRequest& request);

/// The step of a history that shows everything, one for all specimens: that of the quickest.
double history_step_s(const experiment::Experiment& experiment);

/// What predict_experiment() says of one specimen as described, and nothing else; `outcome_only` as of SolverOptions.
/// Throws as predict_experiment(), and InputError for a number of a specimen that is not there.
solver::Prediction predict_specimen(const experiment::Experiment& experiment, std::size_t specimen,
                                    std::string_view model, bool outcome_only);

/// Outcomes alone.
struct OutcomePrediction {
    std::string model;                       ///< that predicted it, as of a SpecimenPrediction
    std::optional<solver::Outcome> outcome;  ///< of the specimen as described; empty: its solution failed
    std::vector<EnsembleMember> members;
};

/// The outcomes of predict_experiment() for one specimen and nothing else, many times faster where the lanes cover it.
/// Of the request, model, ensemble, seed and threads count. Throws as predict_experiment().
OutcomePrediction predict_outcomes_of(const experiment::Experiment& experiment, std::size_t specimen,
                                      const PredictionRequest& request);

}  // namespace topple::hil::plan
