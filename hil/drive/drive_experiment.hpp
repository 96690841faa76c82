// The main job: one test, predicted, driven, logged. What follows (comparison, report) reads the run folder.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "hil/drive/flight_file.hpp"
#include "hil/drive/motion_driver.hpp"
#include "hil/drive/run_plan.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/sim_table/fault_script.hpp"
#include "hil/sim_table/truth.hpp"

namespace topple::hil::drive {

/// A person who is asked before a real table moves.
struct OperatorConsent {
    std::function<void()> require_somebody;  ///< throws InputError if there is nobody who could be asked
    /// Returns once the operator has consented to `motion`, else throws InputError. `abandoned` says meanwhile whether
    /// the question still matters.
    std::function<void(const std::string& motion, const std::function<bool()>& abandoned)> ask;
    bool asks_once = false;  ///< the first consent is for every motion of the run
};

/// What is about to be logged: for whoever watches. Valid during the call only.
struct WatchedTest {
    const experiment::Experiment& experiment;  ///< with the limits that hold on this table
    const RunPlan& plan;
    const firmware_iface::DeviceInfo& device;
    const std::string& prediction_json;
    std::string uri;
    std::int64_t log_time_anchor_ns = 0;  ///< log time at device time 0
};

struct DriveOptions {
    std::filesystem::path folder;  ///< must not exist yet; empty: the default of create_default_run_folder
    std::string device;            ///< URI
    bool yes = false;              ///< the operator's consent was given on the command line
    /// The dialogue about a real table; not needed with `yes`. Missing: nobody can be asked.
    std::function<OperatorConsent(const firmware_iface::DeviceInfo&, const std::string& where)> consent{};
    std::function<void(const std::string&)> warn = [](const std::string&) {};  ///< gets problems that stop nothing
    std::function<void(const std::string&)> note = [](const std::string&) {};  ///< gets what a learning pass found
    std::function<void(const RunPlan&)> planned = [](const RunPlan&) {};       ///< gets the motion and its prediction
    /// Called before the log of the test is opened: gets every record of it as it is written. Empty: nobody watches.
    std::function<run_log::RecordObserver(const WatchedTest&)> watch{};
    /// Seconds of the table in this process ("sim:") per second of whoever watches; empty: as fast as it can.
    std::optional<double> pace{};
    std::optional<int> processor{};                  ///< the tick's thread runs on this one only, from 0; empty: on any
    std::optional<sim_table::FaultScript> faults{};  ///< of a table in this process ("sim:") only
    /// Of the live forecast on a virtual clock; empty: as many as ForecastMembers says. Nobody watches the tests of a
    /// simulated campaign.
    std::optional<std::size_t> forecast_members{};
};

struct DrivenExperiment {
    /// Not empty: the drive was learned without the specimens and is kept in this file; they are put on for the test,
    /// which was not made. There is no log of a test then.
    std::string learned_only;
    RunPlan plan;
    DriveResult drive;
    std::string log_failure;  ///< empty if the log is whole
    FlightFiles flight;       ///< the last ticks before a stop or fault
    std::optional<sim_table::TruthReport>
        truth;                     ///< of an in-process simulated table; reveal after the comparison only
    std::filesystem::path folder;  ///< of the run, as made
};

/// Called about five times a second from the thread that does not tick (never on a virtual clock).
using ProgressSink = std::function<void(const DriveStatus&)>;

/// Plans, connects, checks that device and machine file agree, writes experiment.toml, machine.toml and prediction.json
/// durably, asks for consent, drives and logs. Throws before anything has moved: InputError for what is infeasible or
/// not consented and for a folder or log that cannot be written, DeviceError for a table that is missing, not homed,
/// faulted or different. After the first command to move nothing is thrown: see DriveResult; but a learning pass
/// ([table] iterate) that fails throws, with the table at rest, and the test is not made (learning_session.hpp).
DrivenExperiment drive_experiment(const experiment::Experiment& experiment, const DriveOptions& options,
                                  const std::atomic<bool>& stop_requested, const ProgressSink& progress);

}  // namespace topple::hil::drive
