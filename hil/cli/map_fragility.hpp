// topple map on a file with [fragility].
#pragma once

#include <string>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::cli {

struct FragilityOptions {
    std::string out, resume, model;
    unsigned threads = 0;  ///< of each rank; 0: its processors
};

/// Throws InputError, OutputError; DeviceError when stopped by a signal.
void run_fragility_study(const FragilityOptions& options, const std::string& file);

}  // namespace topple::hil::cli
