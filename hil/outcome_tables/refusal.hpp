// The reason of an error about an experiment that nobody has as a file.
#pragma once

#include <string>

namespace topple::hil::outcome_tables {

/// The message without the place in `file`, whose text was composed.
std::string plain_reason(const std::string& message, const std::string& file);

}  // namespace topple::hil::outcome_tables
