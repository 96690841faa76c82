// A line on the terminal while something is computed that takes longer than one likes to wait in silence.
#pragma once

#include <functional>
#include <string>

namespace topple::hil::cli {

/// Does `work` in another thread and waits for it; from the third second on the terminal says `what` and for how long.
/// What `work` throws is thrown here. Nothing is said where standard error is no terminal.
void with_waiting_line(const std::string& what, const std::function<void()>& work);

}  // namespace topple::hil::cli
