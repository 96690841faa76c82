// The last ticks before a stop or fault, kept in memory so that they survive even a log that failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "controller/supervision/states.hpp"
#include "firmware_iface/samples.hpp"

namespace topple::hil::drive {

/// What one tick knew and did.
struct FlightRow {
    std::int64_t host_time_ns = 0;  ///< when the tick woke, on the host's monotonic clock (virtual in lockstep)
    std::int64_t wake_late_ns = 0;  ///< after its deadline
    std::uint32_t feedback_received_count = 0;  ///< in this tick; 0: `feedback` is an older one
    firmware_iface::Feedback feedback;          ///< the newest
    std::uint32_t setpoints_sent_count = 0;     ///< in this tick
    firmware_iface::Setpoint setpoint;          ///< the last one sent in this run; device time 0: none yet
    bool supervised = false;                    ///< a motion is under way; else the next two mean nothing
    controller::SupervisorState supervisor = controller::SupervisorState::idle;
    controller::StopReason reason = controller::StopReason::none;
};

struct FlightIncident {
    controller::StopReason reason = controller::StopReason::none;
    std::uint32_t fault_code = 0;      ///< of the device at that moment
    std::uint64_t device_time_us = 0;  ///< newest at that moment
    std::vector<FlightRow> rows;       ///< oldest first; the last one is the tick that saw the reason
};

/// All memory is taken at construction; add() and keep() neither allocate nor wait.
class FlightRecorder {
  public:
    static constexpr std::size_t kRows = 500;        ///< one second at 500 Hz
    static constexpr std::size_t kIncidentsMax = 2;  ///< the stop, and a fault while it is under way

    FlightRecorder();
    void add(const FlightRow& row) noexcept;
    /// Copies what there is; further incidents than kIncidentsMax are not kept.
    void keep(controller::StopReason reason) noexcept;
    std::span<const FlightIncident> incidents() const noexcept { return {incidents_.data(), incident_count_}; }

  private:
    std::vector<FlightRow> ring_;
    std::size_t next_ = 0, count_ = 0;
    std::vector<FlightIncident> incidents_;
    std::size_t incident_count_ = 0;
};

}  // namespace topple::hil::drive
