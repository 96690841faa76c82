// What a row says of its specimen, as the solver would call it.
#pragma once

#include <string>

#include "hil/scores/scored_test.hpp"

namespace topple::hil::outcome_tables {

/// What is wrong with the outcome that was noted; empty if such a specimen can have it.
std::string impossible_outcome(const scores::Observation& seen, bool is_stack);
/// One block falls as a whole; "overturned" of a stack does not say how much of it.
scores::Observation outcome_of_specimen(scores::Observation seen, bool is_stack);

}  // namespace topple::hil::outcome_tables
