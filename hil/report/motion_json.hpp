// The part of summary.json about the motion of the platen.
#pragma once

#include <nlohmann/json.hpp>

#include "hil/compare/conclusion.hpp"

namespace topple::hil::report {

/// Keys tracking, identified, plateaus, response_spectra, achieved_motion, of two axes also axes; documented in
/// docs/report.md#summary.
nlohmann::ordered_json motion_json(const compare::Conclusion& conclusion);
/// A specimen's plane with the peaks of the acceleration in it and across it; null where no plane is spoken of.
nlohmann::ordered_json plane_json(const compare::SpecimenConclusion& specimen);

}  // namespace topple::hil::report
