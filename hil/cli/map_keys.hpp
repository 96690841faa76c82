// topple map --x --y: outcomes over two numbers of the experiment file.
#pragma once

#include <string>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::cli {

/// As given on the command line of `map`.
struct KeyMapOptions {
    std::string out, csv, model, x, y;
    double tolerance = 1e-3;  ///< of the boundaries
    unsigned threads = 0;
    bool force = false;
};
void run_key_map(const KeyMapOptions& options, const experiment::Experiment& experiment);

/// "p_ta (p ta of a constant pulse), ...".
std::string derived_axes_text();

}  // namespace topple::hil::cli
