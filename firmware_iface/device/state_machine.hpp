// The states of a table and the way between them: one pure function. The states are explained in samples.hpp.
#pragma once

#include <cstdint>

#include "firmware_iface/samples.hpp"

namespace topple::firmware_iface {

/// What can happen to a device. Whether a command is accepted at all (hash, homed, setpoints) is decided before.
enum class DeviceEvent : std::uint8_t {
    home,               ///< command: find the reference
    homed,              ///< the reference has been found
    arm,                ///< command, configuration agreed
    disarm,             ///< command
    start,              ///< command, setpoints agreed
    motion_done,        ///< the final setpoint has been reached
    controlled_stop,    ///< S1: stop command or a fault that lets the drive brake along a planned path
    stop_ended,         ///< the planned path is over and the platen rests
    drive_off,          ///< S0: a fault that takes the drive's power and sets the brake
    emergency_stop,     ///< S0: the hardware emergency stop is pressed
    emergency_release,  ///< it has been released; the fault stays latched
    clear_homed,        ///< command: forget the fault; the reference is still known
    clear_unhomed,      ///< command: forget the fault; the reference is lost
};

/// The state after `event` in `state`; the same state where the event means nothing there.
///
///   idle      entered at power-on or by clearing without reference; left by homing; drive off
///   homing    the platen moves slowly, bounded; left by homed, a stop or a fault
///   ready     holds; left by home, arm, a stop or a fault
///   armed     holds, takes setpoints; left by start, disarm, a stop or a fault
///   running   moves along setpoints; left by motion_done (to armed), a stop or a fault
///   stopping  moves along the planned stop; left when it ends, or by S0
///   faulted   holds after S1, drive off after S0; left only by clear (or the emergency stop)
///   estop     drive off; left when the button is released, to faulted
constexpr DeviceState next(DeviceState state, DeviceEvent event) noexcept {
    using S = DeviceState;
    const bool drive_on = state == S::homing || state == S::ready || state == S::armed || state == S::running;
    switch (event) {
        case DeviceEvent::home: return state == S::idle || state == S::ready ? S::homing : state;
        case DeviceEvent::homed: return state == S::homing ? S::ready : state;
        case DeviceEvent::arm: return state == S::ready ? S::armed : state;
        case DeviceEvent::disarm: return state == S::armed ? S::ready : state;
        case DeviceEvent::start: return state == S::armed ? S::running : state;
        case DeviceEvent::motion_done: return state == S::running ? S::armed : state;
        case DeviceEvent::controlled_stop: return drive_on ? S::stopping : state;
        case DeviceEvent::stop_ended: return state == S::stopping ? S::faulted : state;
        case DeviceEvent::drive_off: return state == S::estop ? S::estop : S::faulted;
        case DeviceEvent::emergency_stop: return S::estop;
        case DeviceEvent::emergency_release: return state == S::estop ? S::faulted : state;
        case DeviceEvent::clear_homed: return state == S::faulted ? S::ready : state;
        case DeviceEvent::clear_unhomed: return state == S::faulted ? S::idle : state;
    }
    return S::faulted;
}

/// May the platen be moving by command in this state?
constexpr bool may_move(DeviceState state) noexcept {
    switch (state) {
        case DeviceState::homing:
        case DeviceState::running:
        case DeviceState::stopping: return true;
        case DeviceState::idle:
        case DeviceState::ready:
        case DeviceState::armed:
        case DeviceState::faulted:
        case DeviceState::estop: return false;
    }
    return false;
}

}  // namespace topple::firmware_iface
