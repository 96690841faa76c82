// What the mechanics under the specimens exchange with them in one step, whatever the mechanics are.
#pragma once

namespace topple::hil::sim_table {

/// Horizontal force of the specimens on what they stand on: force_n - mass_kg x its acceleration.
struct SpecimenLoad {
    double force_n = 0.0;
    double mass_kg = 0.0;
};

/// What a step did to the seat of the specimens without them: its momentum changed by impulse_n_s, its mass is mass_kg.
/// acceleration_m_s2 is what it does with the load.
struct SeatStep {
    double impulse_n_s = 0.0;
    double mass_kg = 0.0;
    double acceleration_m_s2 = 0.0;
};

/// Where one mass is.
struct Motion {
    double position_m = 0.0, velocity_m_s = 0.0, acceleration_m_s2 = 0.0;
};

}  // namespace topple::hil::sim_table
