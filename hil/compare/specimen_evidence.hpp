// What explains a verdict: parts of the tracking error, impacts that the sensors found, other models.
#pragma once

#include "hil/compare/conclusion.hpp"

namespace topple::hil::compare {

/// Fills attribution, impacts, models and why of `result`, whose predictions, measurement and agreement are there.
void add_evidence(SpecimenConclusion& result, const Conclusion& conclusion);

}  // namespace topple::hil::compare
