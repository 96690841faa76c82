// The main job: one test, predicted, driven, logged. What follows (comparison, report) reads the run folder.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "hil/experiment/experiment.hpp"
#include "hil/drive/flight_file.hpp"
#include "hil/drive/motion_driver.hpp"
#include "hil/drive/run_plan.hpp"
#include "hil/sim_table/fault_script.hpp"
#include "hil/sim_table/truth.hpp"

namespace topple::hil {

struct RunTestOptions {
    std::filesystem::path folder;  ///< must not exist yet; empty: the default of create_default_run_folder
    std::string device;            ///< URI
    bool yes = false;              ///< the operator's consent was given on the command line
    std::function<void(const std::string&)> warn = [](const std::string&) {};  ///< gets what is amiss but stops nothing
    std::function<void(const TestPlan&)> planned = [](const TestPlan&) {
    };                                    ///< gets what is about to be made and predicted
    std::optional<FaultScript> faults{};  ///< of a table in this process ("sim:") only
};

struct RunTestResult {
    TestPlan plan;
    DriveResult drive;
    std::string log_failure;           ///< empty if the log is whole
    FlightFiles flight;                ///< the last ticks before a stop or fault
    std::optional<TruthReport> truth;  ///< of an in-process simulated table; reveal after the comparison only
    std::filesystem::path folder;      ///< of the run, as made
};

/// Called about five times a second from the thread that does not tick (never on a virtual clock).
using ProgressSink = std::function<void(const TestStatus&)>;

/// Plans, connects, checks that device and machine file agree, writes experiment.toml, machine.toml and prediction.json
/// durably, asks for consent, drives and logs. Throws before anything has moved: InputError for what is infeasible or
/// not consented and for a folder or log that cannot be written, DeviceError for a table that is missing, not homed,
/// faulted or different. Once the table has been asked to move nothing is thrown: see DriveResult.
RunTestResult run_test(const Experiment& experiment, const RunTestOptions& options,
                       const std::atomic<bool>& stop_requested, const ProgressSink& progress);

}  // namespace topple::hil
