// A verdict with its criteria in summary.json.
#pragma once

#include <nlohmann/json.hpp>

#include "hil/compare/agreement.hpp"

namespace topple::hil::report {

/// null where nothing was judged.
nlohmann::ordered_json agreement_json(const compare::Agreement& agreement);

}  // namespace topple::hil::report
