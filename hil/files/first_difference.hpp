// Where two texts differ, for a message.
#pragma once

#include <string>

namespace topple::hil::files {

/// The first line that is not the same in both, as `line 12: "..." is now "..."`; empty if all lines are.
std::string first_difference(const std::string& then, const std::string& now);

}  // namespace topple::hil::files
