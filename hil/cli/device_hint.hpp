// Commands that a message advises, for the table in question.
#pragma once

#include <string>
#include <string_view>

namespace topple::hil::cli {

/// Every `topple table ...` and `topple check ...` of the text, in its back quotes, gets ` --device URI` unless it has
/// one or the table is the one that the commands take by themselves, "sim:".
std::string with_device(std::string text, std::string_view uri);

}  // namespace topple::hil::cli
