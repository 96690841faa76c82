// The simulated table on a real wire, in real time: what `topple emulate` does.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "firmware_iface/transport/listener.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/sim_table/fault_script.hpp"

namespace topple::hil::sim_table {

struct EmulateOptions {
    bool pty = true;            ///< a pseudo-terminal, paced at 921600 baud both ways; else TCP
    std::string listen;         ///< TCP: "HOST:PORT", or "PORT" of 127.0.0.1; port 0: the system chooses
    bool allow_remote = false;  ///< an address other computers can reach: there is no authentication
    /// TCP: a host without a valid hello for so long is disconnected, so that it does not keep others out.
    std::chrono::nanoseconds hello_within = std::chrono::seconds(5);
    double clock_skew_ppm = 40.0;
    bool reports_simulated = true;      ///< false: for rehearsing the operator's consent
    std::optional<FaultScript> faults;  ///< what goes wrong, and when
    bool start_homed = true;            ///< false: as after power-up, for trying `topple table home`
    /// Gets the URI to give as --device, once hosts may come. Default: prints it as one line to stdout.
    std::function<void(const std::string& uri)> on_ready;
    /// Gets one line per event (host came, host left, world put back, fault begun). Default: stderr.
    std::function<void(const std::string& line)> say;
};

/// Where hosts may come. Throws InputError for an address that other computers can reach unless that is allowed,
/// DeviceError where there is no terminal or port.
std::unique_ptr<firmware_iface::Listener> make_listener(const EmulateOptions& options);

/// Serves one host after the other until `stop`. When a host leaves, the table stops in a controlled way if it was
/// moving; then the specimens are put back as they stood at the beginning, the platen stays where it is, and a latched
/// fault stays latched. A host that is silent for 5 s while nothing moves is disconnected; one that connects while
/// another is there learns who it is. Throws DeviceError (no terminal or port) and InputError (address, specimen).
void emulate(const experiment::Experiment& experiment, const EmulateOptions& options, const std::atomic<bool>& stop);

}  // namespace topple::hil::sim_table
