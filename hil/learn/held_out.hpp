// Each run foretold from the others: does what was learned predict better than what was believed before?
#pragma once

#include <cstddef>
#include <vector>

#include "hil/learn/learning.hpp"

namespace topple::hil::learn {

/// Fills learning.held_out (one entry per used run) from the draws of the whole posterior, weighted anew without each
/// run in turn, or held_out_not_possible. `used`: numbers of the runs in the columns of `sampled`;
/// `explanations[column][draw]`.
void foretell_held_out(Learning& learning, const std::vector<std::size_t>& used, const WeightedDraws& sampled,
                       const std::vector<const std::vector<Explanation>*>& explanations);

}  // namespace topple::hil::learn
