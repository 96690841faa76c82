// The passes in which the drive of a test is learned, before the test, in the same session.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "hil/drive/drive_experiment.hpp"
#include "hil/drive/open_table.hpp"
#include "hil/iteration/learned_drive.hpp"

namespace topple::hil::drive {

/// A specimen that topples with more than this probability, by the blind prediction, is not used for learning.
inline constexpr double kLearningTopples_ratio = 0.05;

/// All outlive the session.
struct LearningRequest {
    const experiment::Experiment& experiment;  ///< on its effective machine
    const RunPlan& plan;                       ///< of the test
    OpenedTable& table;                        ///< connected, ready
    const DriveOptions& options;
    const OperatorConsent& consent;
    const std::atomic<bool>& stop_requested;
    const ProgressSink& progress;
    std::filesystem::path folder;  ///< of the run
    std::uint32_t session_id = 1;
    bool must_ask = false;  ///< a real table's motions need consent
};

/// What is sent to the axes, x first, so that they make the plan. Throws std::invalid_argument for corrections that are
/// not of its axes and motions.
std::vector<controller::Profile> corrected_axes(const RunPlan& plan, const iteration::LearnedDrive& drive);

/// The kept drive if machine, waveform and payload are those that it was learned for; else one is learned in at most
/// [table] iterate passes, each logged as pass_<n>.mcap. Either is written to the folder as learned_drive.json, a new
/// one also to drive_store(). `moved` becomes true with the first motion. On a simulated table of this process "bare"
/// and "dummy" are a table of their own: its specimens come for the test. On any other table somebody puts on and takes
/// off what the operator is told to. Throws InputError before anything has moved for what cannot be learned or is not
/// consented to; DeviceError after a pass that was stopped, failed, or let a specimen fall, when the table rests: the
/// test is not made then.
iteration::LearnedDrive learned_drive_for(const LearningRequest& request, bool& moved);

/// The drive was learned in this run with something else on a real platen than the test's specimens: the table is to be
/// made safe and they are to be put on before the test, which is another run.
bool must_put_specimens_on(const LearningRequest& request, const iteration::LearnedDrive& drive);

}  // namespace topple::hil::drive
