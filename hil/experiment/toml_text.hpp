// Texts written into a TOML file.
#pragma once

#include <string>
#include <string_view>

namespace topple::hil::experiment {

/// As a basic string with its quotes: quotes, backslashes and control characters escaped.
std::string toml_string(std::string_view text);

}  // namespace topple::hil::experiment
