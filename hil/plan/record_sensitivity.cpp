#include "hil/plan/record_sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hil/experiment/record_account.hpp"
#include "hil/plan/outcome_sensitivity.hpp"
#include "hil/plan/prediction.hpp"

namespace topple::hil::plan {
namespace {

using experiment::Experiment;

MotionOutcome outcome_along(const Experiment& experiment, std::size_t specimen, const std::string& name) {
    const solver::Prediction prediction = predict_specimen(experiment, specimen, "", false);
    double peak_rad = 0.0;
    for (const double peak : prediction.peak_rotation_rad) peak_rad = std::max(peak_rad, peak);
    return {name, prediction.outcome, peak_rad};
}

std::vector<OutcomeSensitivity> sensitivities(const Experiment& experiment) {
    std::vector<OutcomeSensitivity> found(experiment.specimens.size());
    for (std::size_t i = 0; i < found.size(); ++i) found[i].motions.push_back(outcome_along(experiment, i, "fused"));
    Experiment varied = experiment;
    varied.excitation.table_motion.reset();
    for (const experiment::RecordFusion::Varied& variant : experiment.excitation.record->fusion->motions) {
        varied.excitation.motion = variant.motion;
        for (std::size_t i = 0; i < found.size(); ++i)
            found[i].motions.push_back(outcome_along(varied, i, variant.name));
    }
    return found;
}

}  // namespace

bool has_fused_record(const Experiment& experiment) {
    return experiment.excitation.record && experiment.excitation.record->fusion;
}

std::string record_sensitivity_text(const Experiment& experiment) {
    std::string text;
    if (!has_fused_record(experiment)) return text;
    const std::vector<OutcomeSensitivity> found = sensitivities(experiment);
    for (std::size_t i = 0; i < found.size(); ++i)
        text += fmt::format("  {:<18}{}\n", found.size() > 1 ? fmt::format("specimen {}", i) : "outcome",
                            describe(found[i]));
    return text;
}

nlohmann::ordered_json record_fusion_json(const Experiment& experiment) {
    const experiment::RecordFusion& fusion = *experiment.excitation.record->fusion;
    nlohmann::ordered_json json = fusion_json(fusion.calibration, fusion.residual_m);
    json["outcome_sensitivity"] = nlohmann::ordered_json::array();
    for (const OutcomeSensitivity& one : sensitivities(experiment))
        json["outcome_sensitivity"].push_back(sensitivity_json(one));
    return json;
}

}  // namespace topple::hil::plan
