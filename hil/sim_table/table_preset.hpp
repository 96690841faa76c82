// What is not perfect in the simulated table's mechanics and sensors: the presets "stage" and "worn".
#pragma once

#include <cstdint>

namespace topple::hil::sim_table {

/// Friction of one sliding pair: the LuGre model (Canudas de Wit, Olsson, Astrom, Lischinsky 1995). It is a spring
/// while nothing slides and has no jump at velocity 0.
struct FrictionParameters {
    double coulomb_n = 0.0;
    double static_n = 0.0;  ///< breakaway; not below coulomb_n
    double stribeck_m_s = 1.0;
    double presliding_n_m = 1.0;  ///< stiffness of the bristles
    double presliding_damping_n_s_m = 0.0;
    double viscous_n_s_m = 0.0;
    double unevenness_ratio = 0.0;  ///< Coulomb and breakaway force change by +- this along the stroke
    double unevenness_period_m = 1.0;
};

/// A ball-screw stage: drive, motor side with the encoder, screw, platen with the accelerometer, fixture plate with the
/// specimens. Masses are shares of the machine's moving mass; forces, stiffness and damping are for a moving mass of
/// kPresetMass_kg and grow with it. No number here was chosen by what a servo achieves. Sources: docs/machines.md.
struct TablePreset {
    // Drive
    double current_loop_hz = 500.0;  ///< bandwidth, one pole. Assumption: 200 to 1000 Hz are usual in servo drives
    double stall_force_ratio = 1.4;  ///< of the largest force, what the voltage would allow at rest. Assumption
    double no_load_speed_ratio =
        1.15;                         ///< of the machine's largest velocity: back-EMF takes all the voltage. Assumption
    double cogging_n = 6.0;           ///< amplitude. Assumption: about 0.5 % of the largest force
    double cogging_period_m = 0.016;  ///< assumption: lead of the screw over the poles of the motor, or pole pitch
    // Masses, screw, fixture
    double moving_mass_ratio = 1.0;      ///< true moving mass over that of the machine file
    double motor_mass_ratio = 0.65;      ///< rotor and screw as seen along the way. Assumption: rotors outweigh platens
    double fixture_mass_ratio = 0.07;    ///< assumption: a 10 mm aluminium plate
    double screw_stiffness_n_m = 2.2e6;  ///< assumption: screw, nut and bearings in series, or a belt
    double screw_damping_n_s_m = 300.0;  ///< assumption: 3 to 4 % of critical with a light payload
    double backlash_m = 0.0;             ///< of the nut; a preloaded nut has none
    double fixture_stiffness_n_m = 4e7;  ///< assumption: bolted plate; 125 Hz under 60 kg
    double fixture_damping_n_s_m = 2000.0;  ///< assumption: 2 % of critical under 60 kg
    /// Assumption: preloaded nut, 15 N along the way; breakaway 1.5 x; 20 um of presliding, as published for ball
    /// screws.
    FrictionParameters screw{15.0, 22.0, 4e-3, 8e5, 2000.0, 30.0, 0.2, 0.15};
    /// Assumption: four carriages on two rails, 2.5 N each.
    FrictionParameters guide{10.0, 14.0, 4e-3, 5e5, 1500.0, 15.0, 0.2, 0.11};
    // Sensors
    double encoder_ripple_counts = 0.4;        ///< amplitude of the interpolation error. Assumption
    double encoder_period_counts = 20.0;       ///< assumption: scale of 20 um, 1 um per count
    double accelerometer_hz = 200.0;           ///< bandwidth, two poles. Assumption: usual in MEMS and servo types
    double accelerometer_delay_s = 0.5e-3;     ///< assumption: of its digital filter
    double accelerometer_cross_ratio = 0.02;   ///< data sheets of MEMS accelerometers say 1 to 3 %
    double accelerometer_drift_m_s2_s = 2e-4;  ///< of the bias. Assumption: 1 mg a minute while the sensor warms up
};

inline constexpr double kPresetMass_kg = 30.0;  ///< moving mass that the presets' forces belong to
inline constexpr double kDrawn_ratio = 0.2;

TablePreset stage_preset() noexcept;
TablePreset worn_preset() noexcept;

/// A table of the same kind: every number is drawn evenly from +-20 % around the preset's. Breakaway stays at least the
/// Coulomb force.
TablePreset drawn_around(const TablePreset& preset, std::uint64_t seed) noexcept;

}  // namespace topple::hil::sim_table
