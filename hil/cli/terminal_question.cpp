#include "hil/cli/terminal_question.hpp"

#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <iostream>

#include "hil/cli/signals.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

constexpr int kLookPeriod_ms = 200;

}  // namespace

void forget_type_ahead() {
    // In the background the terminal would suspend the whole program for this, with its tick, unless the signal is held
    // back.
    sigset_t suspend, before;
    sigemptyset(&suspend);
    sigaddset(&suspend, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &suspend, &before);
    tcflush(STDIN_FILENO, TCIFLUSH);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

std::string ask(const std::string& question) {
    forget_type_ahead();
    text::tell("{}", question);
    const auto& stop_requested = stop_on_signals();
    for (pollfd input{STDIN_FILENO, POLLIN, 0}; ::poll(&input, 1, kLookPeriod_ms) <= 0;)
        if (stop_requested) throw files::InputError("stopped at the question");
    std::string answer;
    if (!std::getline(std::cin, answer)) throw files::InputError("the input ended at the question");
    while (!answer.empty() && (answer.back() == '\r' || answer.back() == ' ')) answer.pop_back();
    return answer;
}

}  // namespace topple::hil::cli
