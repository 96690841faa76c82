// What every model says of one experiment: a difference between them is a question to the model, not to the table.
#pragma once

#include <string>
#include <vector>

#include "hil/plan/prediction.hpp"

namespace topple::hil::plan {

struct ModelAnswer {
    std::string model;
    std::string refused;  ///< why this model does not cover the experiment; then there are no specimens
    std::vector<SpecimenPrediction> specimens;
};

/// One answer per name of model_names(), without ensembles. Throws InputError if none covers the experiment.
std::vector<ModelAnswer> predict_by_all_models(const experiment::Experiment& experiment);

std::string side_by_side_text(const experiment::Experiment& experiment, const std::vector<ModelAnswer>& answers);
/// Schema topple.models/1: name; models, each with model and refused (null if it answered), and specimens, each with
/// model (used), outcome, direction, peak_rotation_rad, impacts_count, first impact_times_s (at most three),
/// settled_time_s, overturn_time_s, status.
std::string side_by_side_json(const experiment::Experiment& experiment, const std::vector<ModelAnswer>& answers);

}  // namespace topple::hil::plan
