#include "controller/supervision/states.hpp"

namespace topple::controller {
namespace {

SupervisorState from_idle(SupervisorEvent event) noexcept {
    switch (event) {
        case SupervisorEvent::begin: return SupervisorState::streaming;
        case SupervisorEvent::stop:
        case SupervisorEvent::fault:
        case SupervisorEvent::link_lost: return SupervisorState::failed;
        case SupervisorEvent::motion_done:
        case SupervisorEvent::at_rest:
        case SupervisorEvent::overdue: break;
    }
    return SupervisorState::idle;
}

SupervisorState from_streaming(SupervisorEvent event) noexcept {
    switch (event) {
        case SupervisorEvent::motion_done: return SupervisorState::done;
        case SupervisorEvent::stop:
        case SupervisorEvent::fault: return SupervisorState::stopping;
        case SupervisorEvent::link_lost: return SupervisorState::failed;
        case SupervisorEvent::begin:
        case SupervisorEvent::at_rest:
        case SupervisorEvent::overdue: break;
    }
    return SupervisorState::streaming;
}

SupervisorState from_stopping(SupervisorEvent event) noexcept {
    switch (event) {
        case SupervisorEvent::at_rest:
        case SupervisorEvent::overdue:
        case SupervisorEvent::link_lost: return SupervisorState::failed;
        case SupervisorEvent::begin:
        case SupervisorEvent::motion_done:
        case SupervisorEvent::stop:
        case SupervisorEvent::fault: break;
    }
    return SupervisorState::stopping;
}

SupervisorState from_done(SupervisorEvent event) noexcept {
    switch (event) {
        case SupervisorEvent::stop:
        case SupervisorEvent::fault: return SupervisorState::stopping;
        case SupervisorEvent::link_lost: return SupervisorState::failed;
        case SupervisorEvent::begin:
        case SupervisorEvent::motion_done:
        case SupervisorEvent::at_rest:
        case SupervisorEvent::overdue: break;
    }
    return SupervisorState::done;
}

}  // namespace

SupervisorState next(SupervisorState state, SupervisorEvent event) noexcept {
    switch (state) {
        case SupervisorState::idle: return from_idle(event);
        case SupervisorState::streaming: return from_streaming(event);
        case SupervisorState::stopping: return from_stopping(event);
        case SupervisorState::done: return from_done(event);
        case SupervisorState::failed: break;
    }
    return SupervisorState::failed;
}

std::string_view name(SupervisorState state) noexcept {
    switch (state) {
        case SupervisorState::idle: return "idle";
        case SupervisorState::streaming: return "streaming";
        case SupervisorState::stopping: return "stopping";
        case SupervisorState::done: return "done";
        case SupervisorState::failed: return "failed";
    }
    return "unknown";
}

std::string_view name(StopReason reason) noexcept {
    switch (reason) {
        case StopReason::none: return "none";
        case StopReason::operator_stop: return "operator_stop";
        case StopReason::log_failure: return "log_failure";
        case StopReason::device_fault: return "device_fault";
        case StopReason::device_state: return "device_state";
        case StopReason::link_lost: return "link_lost";
        case StopReason::following_error: return "following_error";
        case StopReason::not_finite: return "not_finite";
        case StopReason::feedback_implausible: return "feedback_implausible";
        case StopReason::position_limit: return "position_limit";
        case StopReason::motion_overdue: return "motion_overdue";
        case StopReason::link_closed: return "link_closed";
        case StopReason::setpoint_differs: return "setpoint_differs";
        case StopReason::feedback_unreadable: return "feedback_unreadable";
        case StopReason::clock_implausible: return "clock_implausible";
    }
    return "unknown";
}

std::string_view explanation(StopReason reason) noexcept {
    switch (reason) {
        case StopReason::none: return "not stopped";
        case StopReason::operator_stop: return "the operator requested a stop";
        case StopReason::log_failure: return "the log can no longer be written";
        case StopReason::device_fault: return "the table reported a fault";
        case StopReason::device_state: return "the table left the motion by itself";
        case StopReason::link_lost: return "the table no longer sends feedback";
        case StopReason::following_error: return "the platen is too far from its setpoint";
        case StopReason::not_finite: return "the table sent something that is not a number";
        case StopReason::feedback_implausible: return "the encoder count jumped or the table's time ran backwards";
        case StopReason::position_limit: return "the platen is beyond its stroke";
        case StopReason::motion_overdue: return "the motion should have ended but the table does not report its end";
        case StopReason::link_closed: return "the connection to the table is lost: check power and cable";
        case StopReason::setpoint_differs: return "the table follows other setpoints than those sent to it";
        case StopReason::feedback_unreadable:
            return "the table's feedback violates the protocol: its firmware is of another version, or defective";
        case StopReason::clock_implausible: return "the table's clock stands still or has jumped ahead";
    }
    return "unknown";
}

std::string_view explanation(StartRefusal refusal) noexcept {
    switch (refusal) {
        case StartRefusal::none: return "nothing prevents it";
        case StartRefusal::already_begun: return "this motion has already been started; a motion never resumes";
        case StartRefusal::stop_requested: return "a stop has been requested";
        case StartRefusal::no_setpoints: return "there are no setpoints";
        case StartRefusal::setpoints_malformed:
            return "the setpoints are not finite, not in order of time, not of the table's axes, or the last one is "
                   "not "
                   "final";
        case StartRefusal::queue_too_small: return "the table's queue is too small for streaming";
        case StartRefusal::fault_latched: return "the table has a latched fault; look at it and clear it first";
        case StartRefusal::not_armed: return "the table is not armed";
        case StartRefusal::start_in_past: return "the start time is in the past of the table's clock";
        case StartRefusal::feedback_unsound:
            return "the table's feedback is not finite, or beyond its stroke or following error";
        case StartRefusal::table_elsewhere: return "the platen is not where the motion starts";
    }
    return "unknown";
}

}  // namespace topple::controller
