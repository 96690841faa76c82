// What a shaking table is able to do and how its sensors count: the machine description.
#pragma once

#include <cstdint>
#include <string>

namespace topple::firmware_iface {

/// One axis of a table. docs/machines.md states which numbers are from literature and which are assumed.
struct MachineDescription {
    std::string name;
    double stroke_m = 0.0;  ///< half: the platen may be at -stroke .. +stroke
    double velocity_max_m_s = 0.0;
    double acceleration_max_m_s2 = 0.0;    ///< refused above
    double acceleration_clean_m_s2 = 0.0;  ///< warned above: the sine becomes a double constant
    double stop_deceleration_m_s2 = 0.0;   ///< controlled stop S1; <= 0.8 acceleration_max
    double brake_deceleration_m_s2 = 0.0;  ///< drive off and brake S0
    double buffer_travel_m = 0.0;          ///< beyond the stroke, before the frame
    double following_error_max_m = 0.0;
    double moving_mass_kg = 0.0;  ///< platen and carriage
    double payload_max_kg = 0.0;
    double counts_per_m = 0.0;         ///< encoder
    int encoder_sign = 1;              ///< +1: counts grow along +x
    double accelerometer_scale = 1.0;  ///< true acceleration per reported
    int accelerometer_sign = 1;
    double accelerometer_offset_max_m_s2 = 0.0;  ///< rest reading above this is refused
    double feedback_rate_hz = 0.0;
    double settling_time_s = 0.0;  ///< of the position loop after a stop
};

/// Quanser Shake Table III class, built in as "quanser-st-iii".
MachineDescription quanser_st_iii();

/// Identity of everything host and device must agree on before arming (all fields but the name): FNV-1a, 64 bit, over
/// the numbers in the order above, as little-endian IEEE doubles. Not a cryptographic digest.
std::uint64_t configuration_hash(const MachineDescription& machine) noexcept;

}  // namespace topple::firmware_iface
