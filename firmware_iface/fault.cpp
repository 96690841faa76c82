#include "firmware_iface/fault.hpp"

namespace topple::firmware_iface {

std::string_view name(FaultCode code) noexcept {
    switch (code) {
        case FaultCode::none: return "none";
        case FaultCode::operator_stop: return "operator_stop";
        case FaultCode::queue_underrun: return "queue_underrun";
        case FaultCode::host_lost: return "host_lost";
        case FaultCode::position_limit: return "position_limit";
        case FaultCode::velocity_limit: return "velocity_limit";
        case FaultCode::acceleration_limit: return "acceleration_limit";
        case FaultCode::following_error: return "following_error";
        case FaultCode::not_finite: return "not_finite";
        case FaultCode::encoder_implausible: return "encoder_implausible";
        case FaultCode::drive_fault: return "drive_fault";
        case FaultCode::limit_switch: return "limit_switch";
        case FaultCode::emergency_stop: return "emergency_stop";
        case FaultCode::stop_overdue: return "stop_overdue";
        case FaultCode::watchdog: return "watchdog";
        case FaultCode::homing_failed: return "homing_failed";
        case FaultCode::setpoint_time: return "setpoint_time";
        case FaultCode::setpoint_jump: return "setpoint_jump";
        case FaultCode::queue_overflow: return "queue_overflow";
        case FaultCode::configuration_mismatch: return "configuration_mismatch";
    }
    return "unknown_fault";
}

std::string_view explanation(FaultCode code) noexcept {
    switch (code) {
        case FaultCode::none: return "No fault.";
        case FaultCode::operator_stop: return "A stop was commanded; the table came to rest and holds.";
        case FaultCode::queue_underrun:
            return "The setpoints ran out before the last one of the motion; the table stopped on its own "
                   "path.";
        case FaultCode::host_lost: return "No valid frame came from the host in time; the table stopped by itself.";
        case FaultCode::position_limit:
            return "A setpoint, or the distance needed to stop from it, is beyond the stroke.";
        case FaultCode::velocity_limit: return "A setpoint is faster than the table allows.";
        case FaultCode::acceleration_limit: return "A setpoint requires more acceleration than the table allows.";
        case FaultCode::following_error:
            return "The platen is too far from its setpoint: check payload, friction and the drive.";
        case FaultCode::not_finite: return "A number was not finite; the drive was switched off.";
        case FaultCode::encoder_implausible:
            return "The encoder count jumped, or did not change while the drive pushed: check its cable and home "
                   "again.";
        case FaultCode::drive_fault: return "The drive reports a fault of its own.";
        case FaultCode::limit_switch: return "A limit switch was reached; the drive was switched off.";
        case FaultCode::emergency_stop: return "The emergency stop is pressed: release it, then clear the fault.";
        case FaultCode::stop_overdue: return "A controlled stop did not end in time; the drive was switched off.";
        case FaultCode::watchdog: return "The device's own control loop stalled; the drive was switched off.";
        case FaultCode::homing_failed: return "The reference was not found within the allowed travel and time.";
        case FaultCode::setpoint_time: return "Setpoint times do not increase, or the motion starts in the past.";
        case FaultCode::setpoint_jump:
            return "The motion does not begin at the table's position, or jumps in position or velocity.";
        case FaultCode::queue_overflow: return "More setpoints arrived than the device can hold.";
        case FaultCode::configuration_mismatch:
            return "Device and machine file describe different tables: nothing may move until they agree.";
    }
    return "A fault that this program does not know; see the device's manual.";
}

std::string_view name(RefusalCode code) noexcept {
    switch (code) {
        case RefusalCode::none: return "none";
        case RefusalCode::wrong_state: return "wrong_state";
        case RefusalCode::not_homed: return "not_homed";
        case RefusalCode::configuration_mismatch: return "configuration_mismatch";
        case RefusalCode::fault_latched: return "fault_latched";
        case RefusalCode::no_setpoints: return "no_setpoints";
        case RefusalCode::start_in_past: return "start_in_past";
        case RefusalCode::unknown_command: return "unknown_command";
        case RefusalCode::session_busy: return "session_busy";
        case RefusalCode::not_supported: return "not_supported";
    }
    return "unknown_refusal";
}

std::string_view explanation(RefusalCode code) noexcept {
    switch (code) {
        case RefusalCode::none: return "The command was accepted.";
        case RefusalCode::wrong_state: return "This command is not possible in the current state of the table.";
        case RefusalCode::not_homed: return "The table does not know its position yet: home it first.";
        case RefusalCode::configuration_mismatch:
            return "The machine file does not describe this table (limits, counts per metre or signs "
                   "differ).";
        case RefusalCode::fault_latched: return "A fault is latched: find its cause, then clear it.";
        case RefusalCode::no_setpoints: return "No setpoints have arrived, so there is nothing to run.";
        case RefusalCode::start_in_past: return "The start time has already passed on the device's clock.";
        case RefusalCode::unknown_command: return "The device does not know this command.";
        case RefusalCode::session_busy: return "Another session controls the table: end it first.";
        case RefusalCode::not_supported:
            return "This device cannot do that: it has no slider to release (only an air track has one) or no trigger "
                   "output.";
    }
    return "The device gave a reason that this program does not know.";
}

}  // namespace topple::firmware_iface
