// What host and table send each other every period: setpoints down, feedback up. Flat structs, no protobuf.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace topple::firmware_iface {

inline constexpr std::size_t kAxesMax = 2;              ///< biaxial tables
inline constexpr std::size_t kRotationSensorsMax = 16;  ///< blocks with a rotation sensor (simulated tables)
inline constexpr std::size_t kAuxChannelsMax = 8;       ///< auxiliary analog inputs

/// Look-ahead: a stall of the host of this length is not felt by a motion, since the host keeps setpoints for it (and
/// for four periods) in the table. For as long, and three periods, either end waits before it takes the other for lost
/// (docs/safety.md).
inline constexpr std::uint32_t kLookAhead_us = 40'000;

struct AxisSetpoint {
    double position_m = 0.0;  ///< table frame, 0 = mid stroke
    double velocity_m_s = 0.0;
    double acceleration_m_s2 = 0.0;
};

/// One knot of the commanded motion. The device interpolates between knots with a quintic; two knots at one
/// device time make a step of acceleration.
struct Setpoint {
    std::uint64_t device_time_us = 0;
    std::size_t axis_count = 1;
    std::array<AxisSetpoint, kAxesMax> axes{};
    bool final = false;  ///< the device holds here and reports done; running dry without it is an underrun
};

/// State of the device. See device/state_machine.hpp for transitions.
enum class DeviceState : std::uint8_t {
    idle = 0,      ///< drive off, not homed
    homing = 1,    ///< moving to find the reference
    ready = 2,     ///< homed, drive holds position, refuses setpoints
    armed = 3,     ///< configuration agreed, accepts setpoints, holds position
    running = 4,   ///< interpolating setpoints
    stopping = 5,  ///< controlled stop under way
    faulted = 6,   ///< latched; drive off (S0) or holding after a stop (S1)
    estop = 7,     ///< hardware emergency stop is pressed
};
std::string_view name(DeviceState state) noexcept;  ///< "idle", ...

struct AxisFeedback {
    std::int64_t encoder_count = 0;
    double setpoint_position_m = 0.0;  ///< being interpolated at device_time_us
    double setpoint_velocity_m_s = 0.0;
    double setpoint_acceleration_m_s2 = 0.0;
};

struct Feedback {
    std::uint64_t device_time_us = 0;
    std::size_t axis_count = 1;
    std::array<AxisFeedback, kAxesMax> axes{};
    std::optional<double> acceleration_x_m_s2;  ///< accelerometer on the platen, as measured (with its bias)
    std::optional<double> acceleration_y_m_s2;
    std::size_t rotation_count = 0;                          ///< 0: no specimen sensor
    std::array<double, kRotationSensorsMax> rotation_rad{};  ///< blocks of all specimens, bottom up, in file order
    DeviceState state = DeviceState::idle;
    std::uint32_t fault_code = 0;   ///< firmware_iface/fault.hpp; 0 = none
    std::uint32_t queue_level = 0;  ///< setpoints waiting
    bool motion_done = false;       ///< the `final` setpoint has been reached and is held
    std::optional<bool> homed;      ///< false: positions are from an arbitrary zero; absent: the device does not say
    std::optional<bool> trigger;    ///< state of the trigger output; absent: the device has none
    std::size_t aux_count = 0;      ///< 0: no auxiliary analog input
    std::array<double, kAuxChannelsMax> aux_v{};  ///< volts, in the order of the inputs
};

}  // namespace topple::firmware_iface
