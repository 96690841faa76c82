// What of an outcome map the experiment's table can do.
#pragma once

#include <array>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/study/map_grid.hpp"

namespace topple::hil::cli {

/// Per frequency of the map {frequency, largest amplitude that is feasible on the machine}, both in the units of the
/// axes; `own` is the point of the experiment as it is written. Empty without a motion that a table can make, or on a
/// machine of two axes.
std::vector<std::array<double, 2>> table_reach(const experiment::Experiment& experiment,
                                               const std::array<double, 2>& own, const study::GridAxis& frequency);

}  // namespace topple::hil::cli
