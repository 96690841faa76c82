// What a shaking table is able to do and how its sensors count: the machine description.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace topple::firmware_iface {

/// Of the position servo in the device (device/servo.hpp) and what it takes for granted of the machine.
struct ServoGains {
    double motor_loop_rad_s = 500.0;         ///< crossover of the velocity feedback on the motor's own mass
    double damping_ratio = 1.0;              ///< of the position loop
    double integral_ratio = 0.5;             ///< bandwidth of the disturbance observer over that of the position loop
    double observer_rad_s = 1000.0;          ///< three poles of the observer of position and velocity
    double notch_hz = 0.0;                   ///< of the feedback; 0: none
    double notch_width_ratio = 0.5;          ///< damping ratio of the notch's poles
    double notch_depth_ratio = 0.1;          ///< what passes at its frequency
    double coulomb_n = 0.0;                  ///< friction that is fed forward
    double viscous_n_s_m = 0.0;              ///< friction that is fed forward
    double friction_speed_m_s = 5e-3;        ///< below this speed of the setpoint the Coulomb friction fades out
    double drive_lag_s = 4.2e-4;             ///< from the commanded force to the force
    double screw_stiffness_n_m = 0.0;        ///< between motor and platen; 0: rigid
    double motor_mass_ratio = 1.0;           ///< of the moving mass, on the encoder's side of the screw
    double compliance_filter_rad_s = 900.0;  ///< of the setpoint's acceleration, for its first two derivatives
};
/// For a machine whose file says nothing: tuned on the simulated stage; friction and stiffness in proportion to the
/// mass.
ServoGains usual_servo_gains(double moving_mass_kg) noexcept;

/// One axis of a table. docs/machines.md states which numbers are from literature and which are assumed.
struct AxisDescription {
    double stroke_m = 0.0;  ///< half: the platen may be at -stroke .. +stroke
    double velocity_max_m_s = 0.0;
    double acceleration_max_m_s2 = 0.0;    ///< refused above
    double acceleration_clean_m_s2 = 0.0;  ///< warned above: the sine becomes a double constant
    double stop_deceleration_m_s2 = 0.0;   ///< controlled stop S1; <= 0.8 acceleration_max
    double brake_deceleration_m_s2 = 0.0;  ///< drive off and brake S0
    double buffer_travel_m = 0.0;          ///< beyond the stroke, before the frame
    double following_error_max_m = 0.0;
    double moving_mass_kg = 0.0;                 ///< all that this axis moves but the payload: platen and carriages
    double counts_per_m = 0.0;                   ///< encoder
    int encoder_sign = 1;                        ///< +1: counts grow along the axis
    double accelerometer_scale = 1.0;            ///< true acceleration per reported
    int accelerometer_sign = 1;                  ///< +1: positive along the axis
    double accelerometer_offset_max_m_s2 = 0.0;  ///< rest reading above this is refused
    double force_max_n = 0.0;                    ///< of the drive, both ways; 0: see drive_force_max_n
    ServoGains servo{};
};

/// A table of one axis or two. What it inherits is of axis x.
struct MachineDescription : AxisDescription {
    std::string name;
    double payload_max_kg = 0.0;
    double feedback_rate_hz = 0.0;
    double settling_time_s = 0.0;      ///< of the position loops after a stop
    std::optional<AxisDescription> y;  ///< empty: the table has axis x only

    std::size_t axis_count() const noexcept { return y ? 2 : 1; }
};
/// The machine as one that has this axis only (0: x, 1: y, which it must have): for all that looks at one axis.
MachineDescription axis_of(const MachineDescription& machine, std::size_t axis);
/// "x", "y".
inline constexpr std::array<std::string_view, 2> kAxisNames{"x", "y"};

/// Of the drive: force_max_n, or the force that gives acceleration_clean to the moving mass and a tenth of the largest
/// payload where the description does not say.
double drive_force_max_n(const MachineDescription& machine) noexcept;

/// Quanser Shake Table III class, built in as "quanser-st-iii".
MachineDescription quanser_st_iii();

/// Identity of everything host and device must agree on before arming: FNV-1a, 64 bit, over the numbers in the order
/// of docs/machines.md, as little-endian IEEE doubles; those of axis y, where there is one, follow those of axis x. Not
/// a cryptographic digest. Not in it: the name, and what is the device's own affair, force_max_n and servo: the host
/// refuses nothing because of them.
std::uint64_t configuration_hash(const MachineDescription& machine) noexcept;

}  // namespace topple::firmware_iface
