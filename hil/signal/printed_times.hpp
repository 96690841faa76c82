// Times that were printed with few decimals: are they even?
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace topple::hil::signal {

/// Index of the first of at least two increasing times that is farther from the even grid between the first and the
/// last than 1 % of the step or, where their last decimal is at most half a step, that decimal; none: they are even.
std::optional<std::size_t> first_uneven(const std::vector<double>& time_s);

}  // namespace topple::hil::signal
