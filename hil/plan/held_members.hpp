// How many members of an ensemble have no room for a higher ratio of rotation rates.
#pragma once

#include <cstddef>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::plan {

/// Of the first members, at most kFollowedMax, those of which a ratio is held where the energy ends
/// (solver/study/held_restitution.hpp): such an ensemble is one-sided there.
std::size_t held_members(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                         std::size_t members);

}  // namespace topple::hil::plan
