// topple run FILE --device replay:RUN: a run played again.
#pragma once

#include <optional>
#include <string>

#include "hil/cli/live_option.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::cli {

inline constexpr const char* kReplay = "replay:";

/// `device`: "replay:RUN". Prints whether its predictions are those that were logged. Throws InputError for a log that
/// cannot be played.
void run_replay(const experiment::Experiment& experiment, const std::string& device, std::optional<double> speed,
                LiveShow& live);

}  // namespace topple::hil::cli
