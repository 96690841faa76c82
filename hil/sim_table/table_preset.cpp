#include "hil/sim_table/table_preset.hpp"

#include <algorithm>

#include "hil/sim_table/noise.hpp"

namespace topple::hil::sim_table {

namespace {

constexpr std::uint64_t kTableStream = 3;

void draw(FrictionParameters& f, Noise& noise) noexcept {
    for (double* number : {&f.coulomb_n, &f.static_n, &f.stribeck_m_s, &f.presliding_n_m, &f.presliding_damping_n_s_m,
                           &f.viscous_n_s_m, &f.unevenness_ratio, &f.unevenness_period_m})
        *number *= 1.0 + kDrawn_ratio * (2.0 * noise.uniform() - 1.0);
    f.static_n = std::max(f.static_n, f.coulomb_n);
}

}  // namespace

TablePreset stage_preset() noexcept { return {}; }

TablePreset worn_preset() noexcept {
    TablePreset worn;
    worn.backlash_m = 40e-6;          // assumption: a nut that has lost its preload
    worn.screw_stiffness_n_m *= 0.8;  // assumption: without preload a ball contact is softer
    for (FrictionParameters* friction : {&worn.screw, &worn.guide}) {
        friction->coulomb_n *= 1.8;  // assumption: dirt and dry balls
        friction->static_n *= 2.0;
        friction->unevenness_ratio = 0.35;
    }
    return worn;
}

TablePreset drawn_around(const TablePreset& preset, std::uint64_t seed) noexcept {
    TablePreset p = preset;
    Noise noise(seed, kTableStream);
    for (double* number :
         {&p.current_loop_hz, &p.stall_force_ratio, &p.no_load_speed_ratio, &p.cogging_n, &p.cogging_period_m,
          &p.moving_mass_ratio, &p.motor_mass_ratio, &p.fixture_mass_ratio, &p.screw_stiffness_n_m,
          &p.screw_damping_n_s_m, &p.backlash_m, &p.fixture_stiffness_n_m, &p.fixture_damping_n_s_m,
          &p.encoder_ripple_counts, &p.encoder_period_counts, &p.accelerometer_hz, &p.accelerometer_delay_s,
          &p.accelerometer_cross_ratio, &p.accelerometer_drift_m_s2_s})
        *number *= 1.0 + kDrawn_ratio * (2.0 * noise.uniform() - 1.0);
    draw(p.screw, noise);
    draw(p.guide, noise);
    return p;
}

}  // namespace topple::hil::sim_table
