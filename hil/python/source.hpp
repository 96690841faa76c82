// The experiment that a call from Python is about: a file, or the text that a dict has become.
#pragma once

#include <string>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::python {

struct Source {
    std::string text;  ///< of TOML; empty if it is a file
    std::string name;  ///< path of the file, or what the text is called in messages
    bool is_file = true;

    /// For these equations; empty: the experiment's own. Files that a text names are relative to the working directory.
    /// Throws InputError.
    experiment::Experiment read(const std::string& model) const;
};

}  // namespace topple::hil::python
