// What the emulator puts into the emulated board's memory before it starts: the machine, the stage and the block on it.
// Read by the firmware's board and written by the host: plain numbers, the same layout on both.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "firmware_iface/machine.hpp"
#include "hil/sim_table/table_preset.hpp"

namespace topple::hil::emulated_board {

inline constexpr std::uint32_t kPageAddress = 0x203F0000;  ///< beyond what mps2.ld gives to the firmware
/// The firmware's stack (mps2.ld), and what startup.cpp paints it with.
inline constexpr std::uint32_t kStackAddress = 0x20000000, kStackBytes = 8192, kStackPaint = 0x5AFE57AC;
inline constexpr std::uint64_t kPageMark = 0x31656C70706F54ULL;

/// The numbers of a machine file that the device needs.
struct PageMachine {
    double stroke_m, velocity_max_m_s, acceleration_max_m_s2, acceleration_clean_m_s2, stop_deceleration_m_s2;
    double brake_deceleration_m_s2, buffer_travel_m, following_error_max_m, moving_mass_kg, counts_per_m;
    double encoder_sign, accelerometer_scale, accelerometer_sign, accelerometer_offset_max_m_s2, force_max_n;
    double payload_max_kg, feedback_rate_hz, settling_time_s;
    firmware_iface::ServoGains servo;
};

/// One rectangular block, as it really is; mass 0: nothing stands on the platen.
struct PageBlock {
    double mass_kg, width_m, height_m;
    double restitution_ratio;     ///< of the rotation rates, at every impact
    double tilt_rad;              ///< of the seat, clockwise positive
    double initial_rotation_rad;  ///< held there until a motion releases it
    double gravity_m_s2;
};

struct ParameterPage {
    std::uint64_t mark;  ///< kPageMark; anything else: nobody has written the page
    std::uint64_t size;  ///< of this struct
    std::uint64_t seed;  ///< of the sensors' noise
    std::uint64_t homed, simulated, aux_channel_count;
    std::array<char, 64> machine_name;  ///< zero-terminated unless full
    PageMachine machine;
    sim_table::TablePreset stage;
    PageBlock block;
};
static_assert(std::is_trivially_copyable_v<ParameterPage> && sizeof(ParameterPage) % 8 == 0);

}  // namespace topple::hil::emulated_board
