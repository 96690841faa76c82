// The hidden truth as it is revealed in summary.json.
#pragma once

#include <string>

#include "hil/sim_table/truth.hpp"

namespace topple::hil {

/// {"origin":..., "seed":..., "specimens":[{"restitution_factor":..., "tilt_rad":..., "width_factor":...}]}
std::string truth_json(const TruthReport& report);

}  // namespace topple::hil
