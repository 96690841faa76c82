// The real `topple` executable running beside the test: emulators, runs that are interrupted or killed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/run_topple.hpp"

namespace topple::tests {

class BackgroundTopple {
  public:
    /// `environment`: "NAME=value" entries added to the present environment.
    explicit BackgroundTopple(const std::vector<std::string>& arguments,
                              const std::vector<std::string>& environment = {});
    ~BackgroundTopple();  ///< SIGKILL if it still runs
    BackgroundTopple(const BackgroundTopple&) = delete;
    BackgroundTopple& operator=(const BackgroundTopple&) = delete;

    void signal(int signal_number) const;
    /// Waits for its end: exit code and everything it wrote.
    ProgramResult wait();
    bool running();
    pid_t process() const noexcept { return child_; }  ///< -1 once it has ended
    std::string out() const { return content_of(folder_.path() / "out"); }
    std::string err() const { return content_of(folder_.path() / "err"); }

  private:
    TemporaryFolder folder_;
    pid_t child_ = -1;
    int status_ = 0;
};

/// A simulated table on a real wire until the object dies.
class Emulator {
  public:
    /// `wire`: {"--pty"} or {"--listen", "0"}, and further options.
    Emulator(const std::string& experiment_file, const std::vector<std::string>& wire);
    const std::string& uri() const noexcept { return uri_; }
    BackgroundTopple& program() noexcept { return program_; }

  private:
    BackgroundTopple program_;
    std::string uri_;
};

/// Polls `condition` for at most 60 s; false if it never held. For events of other processes, which have no clock of
/// ours.
template <class Condition>
bool eventually(Condition condition);

}  // namespace topple::tests

template <class Condition>
bool topple::tests::eventually(Condition condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
}
