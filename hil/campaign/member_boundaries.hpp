// Where the members of an ensemble begin to overturn along the search of each row of a campaign.
#pragma once

#include <cstddef>

#include "hil/campaign/adaptive.hpp"
#include "hil/campaign/settings.hpp"

namespace topple::hil::campaign {

/// What one specimen does in one setting, by the model of the experiment; empty: it failed. `member`: empty for the
/// specimen as described, else an index of its ensemble.
std::optional<solver::Outcome> computed_outcome(const experiment::Experiment& one, std::size_t specimen,
                                                std::optional<std::size_t> member);

/// Stacks, and models other than the full one of a single body, are solved one by one and take about a millisecond.
bool is_slow(const experiment::Experiment& experiment);

/// Walks every row from the start of the search in steps of `step` of the way (relative), up to the first value at
/// which a member overturns (0: at the start already), and halves that step three times. Settings that the experiment
/// file refuses end the row. A region of overturning narrower than the step may be missed. On all processors; the
/// result does not depend on their number.
MemberBoundaries member_boundaries(const experiment::Experiment& experiment, const Settings& settings,
                                   std::size_t members, double step = 0.02);

}  // namespace topple::hil::campaign
