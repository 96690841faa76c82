#include "firmware_iface/machine.hpp"

#include <bit>

namespace topple::firmware_iface {
namespace {

/// FNV-1a, 64 bit (Fowler, Noll, Vo; offset basis and prime of draft-eastlake-fnv).
class Digest {
  public:
    void add(double value) noexcept {
        if (value == 0.0) value = 0.0;  // -0 equals 0
        const auto bits = std::bit_cast<std::uint64_t>(value);
        for (int shift = 0; shift < 64; shift += 8) {
            state_ ^= (bits >> shift) & 0xFFU;
            state_ *= 1099511628211ULL;
        }
    }
    std::uint64_t value() const noexcept { return state_; }

  private:
    std::uint64_t state_ = 14695981039346656037ULL;
};

}  // namespace

MachineDescription quanser_st_iii() {  // where each figure comes from: docs/machines.md
    MachineDescription machine;
    machine.name = "quanser-st-iii";
    machine.stroke_m = 0.108;
    machine.velocity_max_m_s = 2.58;
    machine.acceleration_max_m_s2 = 31.5;
    machine.acceleration_clean_m_s2 = 25.0;
    machine.stop_deceleration_m_s2 = 15.0;
    machine.brake_deceleration_m_s2 = 8.0;
    machine.buffer_travel_m = 0.03;
    machine.following_error_max_m = 0.01;
    machine.moving_mass_kg = 30.0;
    machine.payload_max_kg = 100.0;
    machine.counts_per_m = 1.0e6;
    machine.encoder_sign = 1;
    machine.accelerometer_scale = 1.0;
    machine.accelerometer_sign = 1;
    machine.accelerometer_offset_max_m_s2 = 0.5;
    machine.feedback_rate_hz = 500.0;
    machine.settling_time_s = 0.3;
    machine.force_max_n = 1000.0;
    machine.servo = usual_servo_gains(machine.moving_mass_kg);
    return machine;
}

ServoGains usual_servo_gains(double moving_mass_kg) noexcept {
    constexpr double kTunedWith_kg = 30.0;
    const double scale = moving_mass_kg / kTunedWith_kg;
    ServoGains gains;
    gains.coulomb_n = 22.0 * scale;  // somewhat less than there is: too much would push back and forth at rest
    gains.viscous_n_s_m = 40.0 * scale;
    gains.screw_stiffness_n_m = 2.2e6 * scale;
    gains.motor_mass_ratio = 0.65;
    return gains;
}

double drive_force_max_n(const MachineDescription& machine) noexcept {
    if (machine.force_max_n > 0.0) return machine.force_max_n;
    constexpr double kPayloadShare = 0.1;
    return machine.acceleration_clean_m_s2 * (machine.moving_mass_kg + kPayloadShare * machine.payload_max_kg);
}

MachineDescription axis_of(const MachineDescription& machine, std::size_t axis) {
    MachineDescription one = machine;
    if (axis > 0) static_cast<AxisDescription&>(one) = *machine.y;
    one.y.reset();
    return one;
}

std::uint64_t configuration_hash(const MachineDescription& machine) noexcept {
    Digest digest;
    const auto add = [&](const AxisDescription& axis) {
        for (double number : {axis.stroke_m, axis.velocity_max_m_s, axis.acceleration_max_m_s2,
                              axis.acceleration_clean_m_s2, axis.stop_deceleration_m_s2, axis.brake_deceleration_m_s2,
                              axis.buffer_travel_m, axis.following_error_max_m, axis.moving_mass_kg,
                              machine.payload_max_kg, axis.counts_per_m, static_cast<double>(axis.encoder_sign),
                              axis.accelerometer_scale, static_cast<double>(axis.accelerometer_sign),
                              axis.accelerometer_offset_max_m_s2, machine.feedback_rate_hz, machine.settling_time_s})
            digest.add(number);
    };
    add(machine);
    if (machine.y) add(*machine.y);
    return digest.value();
}

}  // namespace topple::firmware_iface
