// topple map on a file with [fragility].
#pragma once

#include <functional>
#include <string>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::cli {

struct FragilityOptions {
    std::string out, resume, model;
    unsigned threads = 0;  ///< of each rank; 0: its processors
};

/// By all ranks, if this is one of several. `check`: throws InputError for options that do not go with a study. Throws
/// InputError, also for a file without [fragility], OutputError; DeviceError when stopped by a signal.
void run_fragility_study(const FragilityOptions& options, const std::string& file, const std::function<void()>& check);

}  // namespace topple::hil::cli
