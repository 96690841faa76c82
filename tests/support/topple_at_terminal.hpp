// The real `topple` executable at a terminal of its own, and the operator who reads and types there.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace topple::tests {

class ToppleAtTerminal {
  public:
    explicit ToppleAtTerminal(const std::vector<std::string>& arguments);
    ~ToppleAtTerminal();  ///< SIGKILL if it has not been waited for
    ToppleAtTerminal(const ToppleAtTerminal&) = delete;
    ToppleAtTerminal& operator=(const ToppleAtTerminal&) = delete;

    /// Reads until `text` appears after what was found last. False if the program ends, or 60 s pass, without it.
    bool shows(const std::string& text);
    void type(const std::string& keys) const;
    /// Reads to its end: exit code, 128 + signal if it was killed.
    int wait();
    const std::string& seen() const noexcept {
        return seen_;
    }  ///< everything shown so far, with the echo of what was typed

  private:
    bool read_more();  ///< false at the end, or if nothing comes for 60 s

    pid_t child_ = -1;
    int terminal_ = -1;  ///< the operator's side
    std::string seen_;
    std::size_t found_ = 0;  ///< end of what shows() found last
};

}  // namespace topple::tests
