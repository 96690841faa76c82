// Are two experiment files the same test: the same specimen on the same motion?
#pragma once

#include <string>
#include <vector>

namespace topple::hil::experiment {

/// Keys of specimens, excitation, model, gravity and the table's axis in which they differ, one text each:
/// "specimen.height_m: 0.27 and 0.3", "excitation.cycles: 2 and not there". Names, notes, uncertainty, simulation and
/// the rest of the table are not looked at. Throws InputError for what is no TOML.
std::vector<std::string> test_differences(const std::string& text, const std::string& other_text);

}  // namespace topple::hil::experiment
