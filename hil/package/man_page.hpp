// The manual page topple(1).
#pragma once

#include <string>

#include "hil/package/description.hpp"

namespace topple::hil::package {

/// As groff reads it, with the macros of man(7). `version`: what stands at its foot, "0.1.0".
std::string man_page(const Command& program, const std::string& version);

}  // namespace topple::hil::package
