// A prediction for a person's eye.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hil/plan/prediction.hpp"

namespace topple::hil::plan {

/// A few short lines per specimen: outcome, peak, impacts, rest, probabilities.
std::string prediction_text(const experiment::Experiment& experiment, const ExperimentPrediction& prediction);

/// Remarks on the motion, part of the answer: corrections of a record, where a sine ends.
std::vector<std::string> motion_remarks(const experiment::Experiment& experiment);

/// Of feet that come to rest on another face, as described or as members: that they count as rocking, and what would
/// count them as overturned.
std::vector<std::string> elsewhere_remarks(const experiment::Experiment& experiment,
                                           const ExperimentPrediction& prediction);

/// What a person must be warned of: a foot that ends on another face, a failed solution, friction that only is watched.
std::vector<std::string> prediction_remarks(const experiment::Experiment& experiment,
                                            const ExperimentPrediction& prediction);

/// Solutions that failed, of specimens and of members of their ensembles: they have no outcome. Always report them.
std::vector<std::string> failure_remarks(const ExperimentPrediction& prediction);
/// "the solution failed at 0.174900 s: event budget spent"; of a prediction without outcome.
std::string failure_text(const solver::Prediction& prediction);
/// "73 % rocking, 27 % overturning", the likeliest first; empty without members.
std::string probability_text(const std::vector<EnsembleMember>& members);
/// The same of every specimen, led by its number where there are several.
std::vector<std::string> outcome_probabilities(const ExperimentPrediction& prediction);
/// The likeliest outcome; empty without members, or where failing is likeliest.
std::optional<solver::Outcome> likeliest(const std::vector<EnsembleMember>& members);

/// e.g. "block 0.06 x 0.27 m, 2.5692 kg" or "stack of 2 blocks, 3.8535 kg".
std::string describe(const solver::Specimen& specimen);

}  // namespace topple::hil::plan
