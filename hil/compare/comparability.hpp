// May a test be judged, and against what? The reasons why not, in words.
#pragma once

#include <string>

#include "hil/compare/conclusion.hpp"

namespace topple::hil::compare {

// Of a conclusion up to its timing; each is empty if nothing is against it.

/// An import whose recorded motion is not the planned one.
std::string why_not_aligned(const Conclusion& conclusion);
std::string not_comparable(const Conclusion& conclusion);
/// Against what was planned: the test may have had another motion on purpose.
std::string not_comparable_with_plan(const Conclusion& conclusion);

}  // namespace topple::hil::compare
