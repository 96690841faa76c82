// An experiment from the lines of its [excitation], with the block that the examples use.
#pragma once

#include <string>

#include "hil/experiment/experiment.hpp"
#include "tests/support/run_topple.hpp"

namespace topple::tests {

inline hil::experiment::Experiment read_excitation(const std::string& lines) {
    const TemporaryFolder folder;
    return hil::experiment::read_experiment(folder.write("experiment.toml",
                                                         "name = \"x\"\n[[specimen]]\nkind = \"block\"\nwidth_m = "
                                                         "0.06\nheight_m = 0.27\nmass_kg = 2.5692\n[excitation]\n" +
                                                             lines));
}

}  // namespace topple::tests
