// The progress of a test on one line of a terminal.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hil/drive/tick.hpp"

namespace topple::hil::cli {

/// What was predicted before the test (`probabilities`, one text per specimen), what is predicted now of the specimen
/// as described (outcome and rotation), and what is measured, each by its name.
std::string progress_text(const drive::DriveStatus& status, const std::vector<std::string>& probabilities);

/// Rewrites one line on standard error; does nothing if that is not a terminal.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();  ///< leaves the cursor on a fresh line
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    /// What outcome_probabilities() says of the test that begins.
    void expect(std::vector<std::string> probabilities) { probabilities_ = std::move(probabilities); }
    void show(const drive::DriveStatus& status);

  private:
    std::vector<std::string> probabilities_;
    bool terminal_;
    bool shown_ = false;
};

}  // namespace topple::hil::cli
