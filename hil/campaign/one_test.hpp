// One test of a campaign: predicted, made, concluded, and what is kept of it.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "hil/campaign/operator.hpp"
#include "hil/campaign/protocol.hpp"
#include "hil/campaign/settings.hpp"
#include "hil/campaign/test_record.hpp"
#include "hil/drive/drive_experiment.hpp"

namespace topple::hil::campaign {

/// What every test of a campaign has in common.
struct TestSetup {
    const experiment::Experiment& campaign;
    const Settings& settings;
    std::filesystem::path folder;  ///< of the campaign
    drive::DriveOptions drive;     ///< its folder is that of each test
    const Operator& person;
    const std::atomic<bool>& stop_requested;
    drive::ProgressSink progress = [](const drive::DriveStatus&) {};
};

struct MadeTest {
    std::optional<TestRecord> record;  ///< empty: the operator did not want the test
    /// Why the campaign cannot go on after this test: a stop, a fault, a log that could not be written; empty: it can.
    std::string ended;
    bool output_failed = false;  ///< `ended` is about writing, not about the table
};

/// Makes the test in its run folder. Record first, then everything else: a test is `done` when its run is concluded and
/// the operator has looked at it. A motion that the table cannot make is `refused` without a folder. Throws what
/// drive_experiment() throws before anything has moved (nobody consented, no table): there is no record of it then.
MadeTest make_test(const TestSetup& setup, const NextTest& next, Preparation preparation);

/// A run folder without a record: the program was killed between the motion and the record, or in the motion. The
/// record of it: `done` if the run is complete (the operator is asked as after a test), else `interrupted`. Empty if
/// the folder does not even say which test it was.
std::optional<TestRecord> record_left_behind(const TestSetup& setup, std::uint64_t number);

/// The record as the marks in its run folder now have it; empty: as it was.
std::optional<TestRecord> marked_since(const TestSetup& setup, const TestRecord& test);

}  // namespace topple::hil::campaign
