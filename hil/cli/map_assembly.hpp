// topple map of an assembly: indices and impacts over frequency and amplitude.
#pragma once

#include <string>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::cli {

/// As given on the command line of `map`.
struct AssemblyMapOptions {
    std::string file, out, csv, frequency, amplitude;
    unsigned threads = 0;
    bool force = false;
};
void run_assembly_map(const AssemblyMapOptions& options, const experiment::Experiment& experiment);

}  // namespace topple::hil::cli
