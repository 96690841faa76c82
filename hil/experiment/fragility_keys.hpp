// The keys of an [excitation] on their own, as TOML.
#pragma once

#include <toml++/toml.h>
#include <string>

#include "hil/experiment/sections.hpp"

namespace topple::hil::experiment {

std::string text_of_keys(toml::table keys);
/// What the reader of a motion of [fragility] must know of the rest of the file.
ExcitationContext fragility_context(const Experiment& experiment);

}  // namespace topple::hil::experiment
