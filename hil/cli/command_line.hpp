// The command line of `topple`: commands, exit codes, where messages go.
#pragma once

#include "hil/cli/build_identity.hpp"

namespace topple::hil::cli {

/// Runs one command. Results go to standard output, everything else to standard error.
/// Returns 0 done; 1 ran but something could not be written; 2 bad or infeasible experiment or arguments;
/// 3 device missing, wrong protocol, port lost, stop or fault; 4 predicted, but the solution failed: no outcome.
int run_command_line(int argc, const char* const* argv, const BuildIdentity& build);

}  // namespace topple::hil::cli
