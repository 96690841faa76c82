#include "tests/support/topple_at_terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "tests/support/run_topple.hpp"

namespace topple::tests {
namespace {

constexpr int kPatience_ms = 60'000;

}  // namespace

ToppleAtTerminal::ToppleAtTerminal(const std::vector<std::string>& arguments) {
    ToppleWords words(arguments);
    terminal_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal_ < 0 || ::grantpt(terminal_) != 0 || ::unlockpt(terminal_) != 0)
        throw std::runtime_error("no terminal");
    const std::string name = ::ptsname(terminal_);
    const int program_side = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);  // before anything is typed
    child_ = ::fork();
    if (child_ < 0) throw std::runtime_error("fork failed");
    if (child_ > 0) {
        ::close(program_side);
        return;
    }
    ::setsid();
    const int own = ::open(name.c_str(), O_RDWR);  // becomes the controlling terminal
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(own, descriptor);
    words.become_topple();
}

ToppleAtTerminal::~ToppleAtTerminal() {
    if (child_ > 0) {
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
    }
    ::close(terminal_);
}

bool ToppleAtTerminal::read_more() {
    pollfd output{terminal_, POLLIN, 0};
    if (::poll(&output, 1, kPatience_ms) <= 0) return false;
    char bytes[512];
    const ssize_t count = ::read(terminal_, bytes, sizeof bytes);  // EIO once the program has closed its side
    if (count <= 0) return false;
    seen_.append(bytes, static_cast<std::size_t>(count));
    return true;
}

bool ToppleAtTerminal::shows(const std::string& text) {
    std::size_t at = 0;
    while ((at = seen_.find(text, found_)) == std::string::npos)
        if (!read_more()) return false;
    found_ = at + text.size();
    return true;
}

void ToppleAtTerminal::type(const std::string& keys) const {
    if (::write(terminal_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
        throw std::runtime_error("the terminal takes no keys");
}

int ToppleAtTerminal::wait() {
    while (read_more()) {
    }
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace topple::tests
