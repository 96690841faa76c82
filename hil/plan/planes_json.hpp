// What each specimen feels of the motion in its plane and across it, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::plan {

/// {"plane_angle_rad", "acceleration_in_plane_peak_m_s2", "acceleration_across_plane_peak_m_s2"} of one specimen.
nlohmann::ordered_json plane_json(const experiment::Experiment& experiment, std::size_t specimen);
/// One for each specimen, in file order.
nlohmann::ordered_json planes_json(const experiment::Experiment& experiment);

}  // namespace topple::hil::plan
