// Completion of `topple` in bash: commands, options, words of options, files.
#pragma once

#include <string>

#include "hil/package/description.hpp"

namespace topple::hil::package {

/// A script for bash's own `complete`; the package bash-completion loads it when `topple` is first completed.
std::string bash_completion(const Command& program);

}  // namespace topple::hil::package
