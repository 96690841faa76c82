#include "hil/cli/signals.hpp"

#include <csignal>
#include <initializer_list>

namespace topple::hil::cli {
namespace {

std::atomic<bool> stop_requested{false};
std::atomic<int> stop_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void on_stop_signal(int signal_number) {
    int none = 0;
    stop_signal.compare_exchange_strong(none, signal_number);
    stop_requested.store(true);
}

std::atomic<bool> reset_requested{false};
extern "C" void on_reset_signal(int) { reset_requested.store(true); }

}  // namespace

std::atomic<bool>& reset_on_signal() {
    struct sigaction action {};
    action.sa_handler = on_reset_signal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, nullptr);
    return reset_requested;
}

const std::atomic<bool>& stop_on_signals() {
    struct sigaction action {};
    action.sa_handler = on_stop_signal;
    sigemptyset(&action.sa_mask);
    for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGQUIT})
        sigaction(signal_number, &action, nullptr);
    return stop_requested;
}

const char* stop_signal_name() noexcept {
    switch (stop_signal.load()) {
        case SIGINT: return "SIGINT";
        case SIGTERM: return "SIGTERM";
        case SIGHUP: return "SIGHUP";
        case SIGTSTP: return "SIGTSTP";
        case SIGQUIT: return "SIGQUIT";
        default: return "";
    }
}

}  // namespace topple::hil::cli
