// A run played again: what was fed back goes through estimator and predictor as it did then. Nothing is driven.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "hil/drive/drive_experiment.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::drive {

struct ReplayOptions {
    std::filesystem::path run;  ///< folder, or its log
    /// Seconds of the run per second; empty: as fast as it can.
    std::optional<double> pace{};
    std::function<run_log::RecordObserver(const WatchedTest&)> watch{};        ///< as of DriveOptions
    std::function<void(const std::string&)> warn = [](const std::string&) {};  ///< gets what limits the replay
};

struct Replayed {
    std::size_t feedback = 0;
    double duration_s = 0.0;  ///< of device time, as far as it was played
    bool stopped = false;     ///< by the operator
    /// Logged in lockstep, so that every prediction can be equal in every bit. Otherwise the number of members followed
    /// the computer's time, and device times and rotations are compared alone.
    bool is_lockstep = false;
    std::size_t predictions = 0;  ///< logged, and compared
    std::size_t predictions_equal = 0;
    double probability_difference = 0.0;  ///< largest of any outcome's; not in lockstep
    std::string first_difference;
};

/// Plays the log's feedback through estimator and predictor of `experiment`, and gives setpoints, feedback, events and
/// timing as logged, predictions as they come out now, to whoever watches. Throws InputError if the log cannot be read,
/// is none of a test, or does not fit the experiment's machine and specimens.
Replayed replay(const experiment::Experiment& experiment, const ReplayOptions& options,
                const std::atomic<bool>& stop_requested);

}  // namespace topple::hil::drive
