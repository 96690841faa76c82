// SIGINT, SIGTERM, SIGHUP, SIGTSTP and SIGQUIT are one wish: a controlled stop.
#pragma once

#include <atomic>

namespace topple::hil::cli {

/// Installs the handlers for the life of the process. The flag is set by the first signal and stays set;
/// repeated signals change nothing.
const std::atomic<bool>& stop_on_signals();

/// Name of the signal that set the flag, empty if none did.
const char* stop_signal_name() noexcept;

/// Set each time SIGUSR1 arrives; whoever acts on it sets it false.
std::atomic<bool>& reset_on_signal();

}  // namespace topple::hil::cli
