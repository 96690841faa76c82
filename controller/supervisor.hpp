// The host's mirror of the table for one motion: what to send now, and whether to stop.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "controller/supervision/feedback_watch.hpp"
#include "controller/supervision/states.hpp"
#include "firmware_iface/clock.hpp"
#include "firmware_iface/table_link.hpp"
#include "firmware_iface/wording.hpp"

namespace topple::controller {

struct SupervisorSettings {
    std::uint32_t feedback_period_us = 2000;
    std::uint32_t look_ahead_us = firmware_iface::kLookAhead_us;  ///< see due()
    std::uint32_t setpoint_capacity = 0;                          ///< of the device's queue; two are always left free
    std::uint32_t silent_periods = 3;  ///< without feedback, besides the look-ahead: then the link is lost
};

/// What a tick calls for.
struct SupervisorTick {
    SupervisorState state = SupervisorState::idle;
    bool send_stop = false;  ///< call TableLink::stop() now; repeated while the device keeps running
};

/// One motion, once. All after begin() is noexcept and free of allocation.
///
///   before:    supervisor.refusal(feedback) == none; send due() batches; TableLink::start; begin(feedback, now)
///   each tick: tick(newest feedback or null, now, link open); stop if it says so;
///              while (!(batch = due()).empty() && link.send_setpoints(batch)) sent(batch.size());
class Supervisor {
  public:
    /// `machine`: effective limits. `setpoints`: of one motion, device times. `stop_requested` outlives this.
    Supervisor(std::vector<firmware_iface::Setpoint> setpoints, const firmware_iface::MachineDescription& machine,
               const SupervisorSettings& settings, const std::atomic<bool>& stop_requested);

    /// What is against beginning now; none if nothing is.
    StartRefusal refusal(const firmware_iface::Feedback& feedback) const noexcept;
    /// Begins if refusal(feedback) is none, and returns it.
    StartRefusal begin(const firmware_iface::Feedback& feedback, firmware_iface::Nanoseconds now) noexcept;

    /// `newest`: the newest feedback since the last tick, null if there was none.
    SupervisorTick tick(const firmware_iface::Feedback* newest, firmware_iface::Nanoseconds now,
                        bool link_open) noexcept;
    /// A stop from the session (a full disk, say). Takes effect with the next tick.
    void stop(StopReason reason) noexcept;

    /// Setpoints to send now, at most TableLink::kBatchMax; empty when enough is under way, and after a stop. They
    /// reach four periods further ahead of the newest feedback than a stall may last.
    std::span<const firmware_iface::Setpoint> due() const noexcept;
    /// Another end for the motion under way: a list that agrees with the present one in all that has been sent and may
    /// still wait in the device. The lists are exchanged, nothing is allocated or freed. False, and nothing changes, if
    /// the motion is not being streamed, the lists differ in what has been sent, or the rest is not well formed.
    bool replan(std::vector<firmware_iface::Setpoint>& setpoints) noexcept;
    /// The first `count` of due() have been taken by the link.
    void sent(std::size_t count) noexcept { sent_ += count; }

    std::uint64_t end_time_us() const noexcept { return setpoints_.back().device_time_us; }  ///< of the last setpoint
    SupervisorState state() const noexcept { return state_; }
    StopReason reason() const noexcept { return reason_; }
    std::uint32_t fault_code() const noexcept { return fault_code_; }  ///< the device's first, 0 if none
    bool stop_overdue() const noexcept { return stop_overdue_; }       ///< the table did not come to rest in time
    firmware_iface::Wording wording() const noexcept;                  ///< what happened, for the operator
    std::string text() const { return wording().text(); }              ///< not on the tick path

  private:
    void apply(SupervisorEvent event) noexcept { state_ = next(state_, event); }
    void fail(SupervisorEvent event, const Violation& why) noexcept;
    void look_at(const firmware_iface::Feedback& feedback) noexcept;
    void look_at_clock(const firmware_iface::Feedback& newest, firmware_iface::Nanoseconds now) noexcept;
    void look_at_motion(const firmware_iface::Feedback& feedback) noexcept;
    std::optional<Violation> setpoint_violation(const firmware_iface::Feedback& feedback) const noexcept;
    bool wants_stop_frame(firmware_iface::Nanoseconds now) noexcept;

    std::vector<firmware_iface::Setpoint> setpoints_;
    SupervisorSettings settings_;
    const std::atomic<bool>& stop_requested_;
    FeedbackWatch watch_;
    ClockWatch clock_;
    firmware_iface::Nanoseconds silence_max_, stop_max_;
    std::uint64_t overdue_us_;

    SupervisorState state_ = SupervisorState::idle;
    StopReason asked_ = StopReason::none;  // by stop(), not yet acted on
    StopReason reason_ = StopReason::none;
    Violation violation_;
    std::uint32_t fault_code_ = 0, later_fault_code_ = 0;  // first and, if it became another, newest
    bool stop_overdue_ = false;

    std::uint64_t device_time_us_ = 0;
    firmware_iface::DeviceState device_state_ = firmware_iface::DeviceState::idle;
    firmware_iface::Nanoseconds heard_{0}, stopped_{0}, stop_frame_{0};
    bool begun_ = false, stop_frame_sent_ = false;
    std::size_t sent_ = 0, passed_ = 0;  // indices into setpoints_
};

}  // namespace topple::controller
