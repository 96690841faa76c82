// Times that were printed with few decimals: are they even?
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace topple::hil::signal {

/// At least two increasing times are even if none is farther from the even grid between the first and the last than 1 %
/// of the step or, where their last decimal is at most half a step, that decimal: none. Else the index of the first
/// whose distance from the one before is not the median distance.
std::optional<std::size_t> first_uneven(const std::vector<double>& time_s);

}  // namespace topple::hil::signal
