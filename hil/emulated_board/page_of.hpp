// The parameter page of an experiment: what the emulated board shall be and carry.
#pragma once

#include "hil/emulated_board/parameter_page.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::emulated_board {

/// With the specimen as it really is (sim_table/truth.hpp). Throws InputError for what the emulated board cannot be: a
/// table of two axes, mechanics other than "stage", more than one block, a block that slides or is not a rectangle.
ParameterPage page_of(const experiment::Experiment& experiment);

}  // namespace topple::hil::emulated_board
