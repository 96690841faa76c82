// How a member of an ensemble is turned about the vertical.
#pragma once

#include <cstddef>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::plan {

/// By how much member `index` of draw_member() (ensemble.hpp) is turned from the described yaw, rad.
double drawn_yaw_rad(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                     std::size_t index);

}  // namespace topple::hil::plan
