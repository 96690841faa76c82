// The states of one supervised motion and the one table that says how they follow one another.
#pragma once

#include <cstdint>
#include <string_view>

namespace topple::controller {

enum class SupervisorState : std::uint8_t {
    idle,       ///< prepared, entered at construction; left by begin; the platen holds
    streaming,  ///< setpoints go out ahead of time, entered by begin; the platen moves
    stopping,   ///< entered by a stop or a fault; nothing more is sent; the platen may move until it rests
    done,       ///< the final setpoint is held; the platen holds, feedback is watched on
    failed,     ///< stopped and at rest, or the link is lost; for good: a stopped motion never resumes
};

enum class SupervisorEvent : std::uint8_t {
    begin,        ///< the session starts the motion
    motion_done,  ///< the device holds the final setpoint
    stop,         ///< the operator, the session or a limit on the host's side asks for a controlled stop
    fault,        ///< the device has latched a fault or left the running state: it stops by itself
    at_rest,      ///< the device has ended its stop and the platen stands
    overdue,      ///< a stop did not end in time
    link_lost,    ///< no feedback (StopReason::link_lost), or the stream is closed (link_closed): the device's own
                  ///< watchdog stops the table
};

/// The transition table. Events without meaning in a state leave it as it is.
SupervisorState next(SupervisorState state, SupervisorEvent event) noexcept;

/// Why a motion was stopped. The first reason counts.
enum class StopReason : std::uint8_t {
    none,
    operator_stop,
    log_failure,           ///< the session cannot record any more
    device_fault,          ///< see fault_code
    device_state,          ///< the device is in a state that does not belong to a motion
    link_lost,             ///< silence on an open stream
    following_error,       ///< measured too far from the device's setpoint
    not_finite,            ///< NaN or infinity in the feedback
    feedback_implausible,  ///< counts jump, or device time runs backwards
    position_limit,        ///< measured or commanded position beyond the stroke
    motion_overdue,        ///< the final setpoint is long past and not reported as held
    link_closed,           ///< the stream has ended: unplugged, or the other side is gone
    setpoint_differs,      ///< the device's setpoint is not the one that was sent for its time
    feedback_unreadable,   ///< sound frames whose content breaks the protocol
    clock_implausible,     ///< the device's clock stands still, or is far ahead of where it was
};

/// Why a motion is not begun.
enum class StartRefusal : std::uint8_t {
    none,
    already_begun,
    stop_requested,
    no_setpoints,
    setpoints_malformed,  ///< not finite, times going back, more than two at one time, or the last one not `final`
    queue_too_small,      ///< of the device
    fault_latched,
    not_armed,
    start_in_past,
    feedback_unsound,  ///< not finite, or beyond stroke or following error
    table_elsewhere,   ///< the platen is not where the first setpoint is
};

std::string_view name(SupervisorState state) noexcept;
std::string_view name(StopReason reason) noexcept;
std::string_view explanation(StopReason reason) noexcept;  ///< one sentence for the operator
std::string_view explanation(StartRefusal refusal) noexcept;

}  // namespace topple::controller
