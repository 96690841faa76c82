// topple show HOST:PORT: a test that runs elsewhere, as text.
#pragma once

#include <string>

namespace topple::hil::cli {

/// HOST:PORT, and not the name of a file or folder.
bool is_live_address(const std::string& text);

/// Prints until the test's server ends or the operator interrupts. Throws DeviceError if nobody answers there, or if
/// the connection breaks.
void show_live(const std::string& address);

}  // namespace topple::hil::cli
