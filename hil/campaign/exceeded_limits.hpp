// What keeps the table from making a motion.
#pragma once

#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::campaign {

/// "stroke 0.2 m, limit 0.106" and the like; empty: the table can make it. Throws InputError if no table can.
std::vector<std::string> exceeded_limits(const experiment::Experiment& one);

}  // namespace topple::hil::campaign
