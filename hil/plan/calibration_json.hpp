// The calibration of a machine file in JSON documents.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "hil/experiment/calibration.hpp"
#include "hil/plan/json_or_null.hpp"

namespace topple::hil::plan {

/// null if the machine file has none.
inline nlohmann::ordered_json calibration_json(const std::optional<experiment::Calibration>& calibration) {
    if (!calibration) return nullptr;
    return {{"date", calibration->date},
            {"author", calibration->author},
            {"serial_number", calibration->serial_number},
            {"method", text_or_null(calibration->method)}};
}

}  // namespace topple::hil::plan
