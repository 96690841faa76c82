// The part of summary.json that explains a verdict.
#pragma once

#include <nlohmann/json.hpp>

#include "hil/compare/conclusion.hpp"

namespace topple::hil::report {

/// Keys attribution, impacts_found, models, numbers, why of one specimen; documented in docs/report.md#summary.
nlohmann::ordered_json evidence_json(const compare::SpecimenConclusion& specimen, const compare::PlatenImpacts& platen);

}  // namespace topple::hil::report
