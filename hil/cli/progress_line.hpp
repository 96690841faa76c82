// The progress of a test on one line of a terminal.
#pragma once

#include <string>

#include "hil/session/test_driver.hpp"

namespace topple::hil {

/// What is predicted (the outcome, and the rotation now) and what is measured, each by its name.
std::string progress_text(const TestStatus& status);

/// Rewrites one line on standard error; does nothing if that is not a terminal.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();  ///< leaves the cursor on a fresh line
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    void show(const TestStatus& status);

  private:
    bool terminal_;
    bool shown_ = false;
};

}  // namespace topple::hil
