// Opening the table that an experiment or --device names, whichever kind it is.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "firmware_iface/clock.hpp"
#include "firmware_iface/table_link.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/run_log/run_log_writer.hpp"
#include "hil/sim_table/simulated_table.hpp"
#include "hil/sim_table/truth.hpp"

namespace topple::hil::drive {

/// Members are destroyed in reverse order: the link before the clock it uses, the table before nothing it needs.
struct OpenedTable {
    std::unique_ptr<firmware_iface::Clock> clock;
    std::unique_ptr<sim_table::SimulatedTable> simulated;  ///< only for "sim:", advanced by the virtual clock
    std::unique_ptr<firmware_iface::TableLink> link;
    std::optional<sim_table::TruthReport> truth;  ///< only for "sim:"; not to be shown before the comparison
};

/// Who is at the table.
struct HostSession {
    std::uint32_t id = 0;           ///< not 0, a new one for each session
    std::string client = "topple";  ///< "topple run", ...: shown to others that connect meanwhile
};

struct OpeningOptions {
    std::optional<sim_table::FaultScript> faults{};  ///< of "sim:" only
    /// Of "sim:": seconds of the table per second, > 0; empty: as fast as it can.
    std::optional<double> pace{};
    run_log::RecordObserver observer{};  ///< gets all feedback where no log is written; empty: nobody watches
};

/// "sim:" is a simulated table with the experiment's machine and specimens on a virtual clock, in lockstep with
/// the caller's sleeping; all else goes through firmware_iface::open_stream on the monotonic clock. The link is not
/// connected yet. Throws DeviceError, and InputError for a machine or specimen refused.
/// InputError for faults with another device. With a pace the caller's sleeping takes time; what happens on the table
/// is the same.
OpenedTable open_table(const std::string& device_uri, const experiment::Experiment& experiment,
                       const HostSession& session, const OpeningOptions& options = {});

}  // namespace topple::hil::drive
