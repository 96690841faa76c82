// What a table says of itself when a session begins.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace topple::firmware_iface {

/// Spoken by this program. Host and device must agree exactly; changes are listed in docs/protocol.md.
inline constexpr std::uint32_t kProtocolVersion = 1;

/// What the device said of itself in its answer to hello.
struct DeviceInfo {
    std::uint32_t protocol_version = 0;
    std::string device, serial_number, firmware_version;  ///< at most kTextMax bytes each (wire/codec.hpp)
    bool simulated = false;                               ///< true: nothing moves in the real world
    std::uint64_t configuration_hash = 0;                 ///< of the device's own machine description (machine.hpp)
    std::uint32_t setpoint_capacity = 0;                  ///< knots the device-side queue holds
    std::uint32_t feedback_period_us = 0;
    std::uint32_t rotation_sensor_count = 0;  ///< at most kRotationSensorsMax
    bool has_trigger = false;                 ///< a digital output that shows when a motion runs
    std::uint32_t aux_channel_count = 0;      ///< auxiliary analog inputs, at most kAuxChannelsMax
    /// One controlled direction of the platen; SI units, table frame.
    struct Axis {
        std::string name;  ///< "x", "y"
        double stroke_m = 0.0, velocity_max_m_s = 0.0, acceleration_max_m_s2 = 0.0, stop_deceleration_m_s2 = 0.0;
        double counts_per_m = 0.0;
        int encoder_sign = 1, accelerometer_sign = 1;
    };
    std::vector<Axis> axes;  ///< 1 .. kAxesMax
};

}  // namespace topple::firmware_iface
