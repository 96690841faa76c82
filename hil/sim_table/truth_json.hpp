// The hidden truth as it is revealed in summary.json.
#pragma once

#include <string>

#include "hil/sim_table/truth.hpp"

namespace topple::hil::sim_table {

/// {"origin":..., "seed":..., "specimens":[{"restitution_factor":..., "tilt_rad":..., "width_factor":...,
/// "width_factors":[...]}]}; width_factor is null where the widths differ on their own: then width_factors lists blocks
/// from the bottom, or left and right side.
std::string truth_json(const TruthReport& report);

}  // namespace topple::hil::sim_table
