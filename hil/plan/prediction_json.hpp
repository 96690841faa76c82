// Predictions as files: topple.prediction/1 and the history CSV.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hil/plan/prediction.hpp"

namespace topple::hil::plan {

inline constexpr std::size_t kImpactsListed = 1000;  ///< of a specimen, unless more are asked for

/// The JSON document of `predict --json` and prediction.json, with stable keys (docs/commands.md). Numbers have full
/// precision and do not depend on the locale. Of more than `impacts_max` impacts the list has the first ones only, and
/// "impacts_truncated" and "impacts_count" say so. `created_utc` is when it was made, for a test's blind record; left
/// out otherwise, so that the same prediction is the same document. Ends with a newline.
std::string prediction_json(const experiment::Experiment& experiment, const ExperimentPrediction& prediction,
                            std::size_t impacts_max = kImpactsListed, const std::string& created_utc = {});
/// The same for predictions without ensembles, one per specimen.
std::string prediction_json(const experiment::Experiment& experiment,
                            const std::vector<solver::Prediction>& predictions, const std::string& model = "full");

/// The object `probability` of the contract: shares of the members, as JSON text.
std::string probability_json(const std::vector<EnsembleMember>& members, bool is_stack);

/// time_s, base_acceleration_m_s2, rotation_<i>_rad, rotation_rate_<i>_rad_s, support_<i>; blocks from 0 at the bottom.
std::string history_csv(const solver::Prediction& prediction);

}  // namespace topple::hil::plan
