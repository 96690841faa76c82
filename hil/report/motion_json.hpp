// The part of summary.json about the motion of the platen.
#pragma once

#include <nlohmann/json.hpp>

#include "hil/compare/conclusion.hpp"

namespace topple::hil::report {

/// Keys tracking, identified, plateaus, response_spectra, achieved_motion; documented in docs/report.md#summary.
nlohmann::ordered_json motion_json(const compare::Conclusion& conclusion);

}  // namespace topple::hil::report
