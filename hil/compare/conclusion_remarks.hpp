// What the reader of a report must know beside the numbers.
#pragma once

#include "hil/compare/conclusion.hpp"

namespace topple::hil::compare {

/// Adds to `conclusion.remarks`, from everything else in it, most important first.
void add_remarks(Conclusion& conclusion);

}  // namespace topple::hil::compare
