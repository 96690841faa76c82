// The dialogue with the operator of a campaign, and its progress, at a terminal.
#pragma once

#include "hil/campaign/operator.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::cli {

/// Asks before each test whether everything stands, and after it what happened. Throws InputError where there is no
/// terminal.
campaign::Operator operator_at_terminal(const experiment::Experiment& experiment);

/// For a simulated table: nothing is asked, the sensors say what happened.
campaign::Operator nobody();

}  // namespace topple::hil::cli
