#include "tests/support/background_topple.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace topple::tests {

BackgroundTopple::BackgroundTopple(const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& environment) {
    const std::string out = folder_.file("out"), err = folder_.file("err");
    ToppleWords words(arguments);
    child_ = ::fork();
    if (child_ < 0) throw std::runtime_error("fork failed");
    if (child_ > 0) return;
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(::open(out.c_str(), flags, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), flags, 0600), STDERR_FILENO);
    for (const std::string& entry : environment) ::putenv(const_cast<char*>(entry.c_str()));
    words.become_topple();
}

BackgroundTopple::~BackgroundTopple() {
    if (!running()) return;
    signal(SIGKILL);
    ::waitpid(child_, &status_, 0);
}

void BackgroundTopple::signal(int signal_number) const {
    if (child_ > 0) ::kill(child_, signal_number);
}

bool BackgroundTopple::running() {
    if (child_ > 0 && ::waitpid(child_, &status_, WNOHANG) == child_) child_ = -1;
    return child_ > 0;
}

ProgramResult BackgroundTopple::wait() {
    while (child_ > 0 && ::waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    return {WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_), out(), err()};
}

Emulator::Emulator(const std::string& experiment_file, const std::vector<std::string>& wire)
    : program_([&] {
          std::vector<std::string> arguments{"emulate", experiment_file};
          arguments.insert(arguments.end(), wire.begin(), wire.end());
          return arguments;
      }()) {
    if (!eventually([this] { return program_.out().find('\n') != std::string::npos || !program_.running(); }))
        throw std::runtime_error("the emulator does not start");
    uri_ = program_.out().substr(0, program_.out().find('\n'));
    if (uri_.empty()) throw std::runtime_error("the emulator does not start: " + program_.err());
}

}  // namespace topple::tests
