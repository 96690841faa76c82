// A record that was fused with a displacement, as `plan` shows it: its calibration, and whether the outcome stands.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::plan {

bool has_fused_record(const experiment::Experiment& experiment);
/// Indented lines, one per specimen; empty without a fused record. Predicts every specimen along every variant.
std::string record_sensitivity_text(const experiment::Experiment& experiment);
/// The object `motion_fusion` of topple.plan/1; needs has_fused_record().
nlohmann::ordered_json record_fusion_json(const experiment::Experiment& experiment);

}  // namespace topple::hil::plan
