// Why a table stopped or refused: numbered, append-only, latched; one section each in docs/faults.md.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace topple::firmware_iface {

/// Latched faults of a device. Numbers are never reused or reordered.
enum class FaultCode : std::uint32_t {
    none = 0,
    operator_stop = 1,            ///< S1: stop command
    queue_underrun = 2,           ///< S1: setpoints ran out without a `final` one
    host_lost = 3,                ///< S1: no valid frame in time, end of file, hang-up
    position_limit = 4,           ///< S1: setpoint or its stopping path beyond the stroke
    velocity_limit = 5,           ///< S1: setpoint faster than allowed
    acceleration_limit = 6,       ///< S1: setpoint acceleration above the limit
    following_error = 7,          ///< S1: measured position too far from the setpoint
    not_finite = 8,               ///< S0: NaN or infinity in a command, a gain or a measurement
    encoder_implausible = 9,      ///< S0: count jump or stuck encoder
    drive_fault = 10,             ///< S0
    limit_switch = 11,            ///< S0
    emergency_stop = 12,          ///< S0: hardware emergency stop
    stop_overdue = 13,            ///< S0: a controlled stop did not end in time
    watchdog = 14,                ///< S0: the device's own loop stalled
    homing_failed = 15,           ///< S0: reference not found within bounds
    setpoint_time = 16,           ///< S1: setpoint times not increasing, or start in the past
    setpoint_jump = 17,           ///< S1: first setpoint is not where the table is, or position/velocity discontinuous
    queue_overflow = 18,          ///< S1: more setpoints than setpoint_capacity
    configuration_mismatch = 19,  ///< refused to arm
};
std::string_view name(FaultCode code) noexcept;         ///< "operator_stop", ...
std::string_view explanation(FaultCode code) noexcept;  ///< one sentence for the operator

/// Why a command was refused (Reply.refusal). Numbers are never reused or reordered.
enum class RefusalCode : std::uint32_t {
    none = 0,
    wrong_state = 1,
    not_homed = 2,
    configuration_mismatch = 3,
    fault_latched = 4,
    no_setpoints = 5,
    start_in_past = 6,
    unknown_command = 7,
    session_busy = 8,   ///< another session controls the table
    not_supported = 9,  ///< known, but not of this kind of device: release is an air track's
};
std::string_view name(RefusalCode code) noexcept;
std::string_view explanation(RefusalCode code) noexcept;

/// Device missing, wrong protocol, port lost, refusal or fault: the CLI's exit code 3.
class DeviceError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A text that names no device, whatever is connected: a bad argument, exit code 2.
class AddressError : public DeviceError {
  public:
    using DeviceError::DeviceError;
};

}  // namespace topple::firmware_iface
