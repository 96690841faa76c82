// A question at the terminal.
#pragma once

#include <functional>
#include <string>

namespace topple::hil::cli {

/// What was typed before a question was shown is no answer to it.
void forget_type_ahead();

/// Shows the question and waits for a line. Throws InputError when a stop is asked for (Ctrl-C) or the input ends.
std::string ask(const std::string& question);

}  // namespace topple::hil::cli
