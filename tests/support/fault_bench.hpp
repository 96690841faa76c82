// A host with a real supervisor and a simulated table with a fault script, in lockstep over pipe, pty or TCP: brings
// the table into a state, lets the fault come, goes on, and notes everything a fault matrix asks about.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "controller/supervisor.hpp"
#include "firmware_iface/clock.hpp"
#include "firmware_iface/transport/listener.hpp"
#include "hil/sim_table/simulated_table.hpp"
#include "tests/support/delivered_stream.hpp"

namespace topple::test {

enum class Wire { pipe, pty, tcp };
enum class MatrixState { idle, homing, armed, running, stopping };
inline constexpr MatrixState kMatrixStates[] = {MatrixState::idle, MatrixState::homing, MatrixState::armed,
                                                MatrixState::running, MatrixState::stopping};
const char* name(MatrixState state) noexcept;
const char* name(Wire wire) noexcept;

/// Faults of the host itself, which no script of the device can make.
enum class HostFault {
    none,
    stop,         ///< SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGQUIT: the operator's stop
    log_failure,  ///< disk full
    gone,         ///< SIGKILL: the stream ends without a word
    stall_30_ms,  ///< nothing runs on the host; less than the look-ahead
    stall_1_s,
};

/// What became of one cell of the matrix. Positions are the platen's own, every 100 us of device time.
struct CellOutcome {
    firmware_iface::FaultCode fault{};                    ///< latched at the end
    firmware_iface::DeviceState state{};                  ///< at the end
    bool drive_on = false;                                ///< at the end
    bool completed = false;                               ///< the host takes the motion (or the homing) for done
    double position_max_m = 0.0, velocity_max_m_s = 0.0;  ///< of the platen, magnitudes
    double setpoint_max_m = 0.0, setpoint_velocity_max_m_s = 0.0, setpoint_acceleration_max_m_s2 = 0.0;
    double moved_after_rest_m = 0.0;                ///< from settling after a stop to the end
    bool stopped = false;                           ///< a controlled stop has been seen
    double stop_from_m_s = 0.0, stop_took_s = 0.0;  ///< commanded velocity when it began, and until it was zero
    double rest_after_s = 0.0;                      ///< from there until the platen stays below 10 mm/s
    /// Setpoint and count by time after the first setpoint, as the host received them.
    std::map<std::int64_t, std::pair<double, std::int64_t>> motion;
};

class FaultBench {
  public:
    /// `script`: body of one or more [[fault]] tables without `at` and `after_s`, which follow from `state`; may be
    /// empty.
    FaultBench(MatrixState state, const std::string& script, Wire wire, HostFault host = HostFault::none);
    /// Throws nothing a fault causes; DeviceError if the table cannot be brought into the state at all.
    CellOutcome run();
    const firmware_iface::MachineDescription& machine() const noexcept { return machine_; }

    std::uint32_t look_ahead_us = firmware_iface::kLookAhead_us;  ///< how far ahead the host streams
    double acts_after_s = kPeakAfter_s;  ///< of the motion: when a host fault or the stop of `stopping` comes

    static constexpr double kTravel_m = 0.12, kFrequency_hz = 5.0;  ///< 1.2 m/s at mid stroke after 0.1 s
    static constexpr double kPeakAfter_s = 0.1;

  private:
    void make_table(const std::string& script, Wire wire);
    void watch();
    void advance(firmware_iface::Nanoseconds now);
    bool cycle();
    void cycles(double duration_s);
    void run_homing();
    void run_armed();
    void run_motion();
    void host_fault();
    void provoke();
    std::vector<firmware_iface::Setpoint> motion_from(std::uint64_t start_us) const;

    MatrixState state_;
    HostFault host_;
    firmware_iface::MachineDescription machine_;
    firmware_iface::VirtualClock clock_;
    std::unique_ptr<firmware_iface::Listener> listener_;
    std::shared_ptr<Written> written_ = std::make_shared<Written>();  // of a real wire
    std::unique_ptr<hil::sim_table::SimulatedTable> table_;
    std::unique_ptr<firmware_iface::TableLink> link_;
    std::unique_ptr<controller::Supervisor> supervisor_;
    std::atomic<bool> stop_{false};
    firmware_iface::Feedback newest_;
    firmware_iface::Nanoseconds heard_{0};
    bool fresh_ = false, host_done_ = false;
    std::uint64_t start_us_ = 0;

    // of watch()
    CellOutcome outcome_;
    std::uint64_t stop_us_ = 0, still_us_ = 0, calm_us_ = 0;
    double rest_m_ = 0.0;
    bool resting_ = false;
};

}  // namespace topple::test
