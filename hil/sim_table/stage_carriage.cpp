#include "hil/sim_table/stage_carriage.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace topple::hil::sim_table {

using firmware_iface::DriveCommand;
using firmware_iface::MachineDescription;

namespace {

constexpr int kSubsteps = 4;

FrictionParameters scaled(FrictionParameters friction, double scale) noexcept {
    for (double* number : {&friction.coulomb_n, &friction.static_n, &friction.presliding_n_m,
                           &friction.presliding_damping_n_s_m, &friction.viscous_n_s_m})
        *number *= scale;
    return friction;
}

void accelerate(Motion& mass, double acceleration_m_s2, double dt_s) noexcept {
    mass.velocity_m_s += acceleration_m_s2 * dt_s;
    mass.position_m += mass.velocity_m_s * dt_s;
}

}  // namespace

StageCarriage::StageCarriage(const MachineDescription& machine, const TablePreset& preset, double payload_kg,
                             double position_m) noexcept
    : preset_(preset),
      scale_(machine.moving_mass_kg / kPresetMass_kg),
      force_max_n_(drive_force_max_n(machine)),
      no_load_m_s_(preset.no_load_speed_ratio * machine.velocity_max_m_s),
      brake_force_n_(machine.brake_deceleration_m_s2 * (machine.moving_mass_kg + payload_kg)),
      frame_m_(machine.stroke_m + machine.buffer_travel_m),
      screw_friction_(scaled(preset.screw, scale_)),
      guide_friction_(scaled(preset.guide, scale_)),
      motor_{position_m, 0.0, 0.0},
      platen_(motor_),
      fixture_(motor_) {
    const double mass_kg = preset.moving_mass_ratio * machine.moving_mass_kg;
    motor_kg_ = preset.motor_mass_ratio * mass_kg;
    fixture_kg_ = preset.fixture_mass_ratio * mass_kg;
    platen_kg_ = mass_kg - motor_kg_ - fixture_kg_;
}

double StageCarriage::next_force_n(double wanted_n, double dt_s) noexcept {
    const double limit_n = force_ratio_ * force_max_n_;
    const double voltage_n =
        std::max(0.0, force_max_n_ * preset_.stall_force_ratio * (1.0 - std::abs(motor_.velocity_m_s) / no_load_m_s_));
    const bool drives = wanted_n * motor_.velocity_m_s > 0.0;
    const double most_n = drives ? std::min(limit_n, force_ratio_ * voltage_n) : limit_n;
    const double share = -std::expm1(-2.0 * std::numbers::pi * preset_.current_loop_hz * dt_s);
    return force_n_ += (std::clamp(wanted_n, -most_n, most_n) - force_n_) * share;
}

double StageCarriage::screw_force_n() const noexcept {
    const double twist_m = motor_.position_m - platen_.position_m;
    const double play_m = 0.5 * preset_.backlash_m;
    const double wound_m = twist_m - std::clamp(twist_m, -play_m, play_m);
    if (wound_m == 0.0 && preset_.backlash_m > 0.0) return 0.0;  // no contact
    return scale_ * (preset_.screw_stiffness_n_m * wound_m +
                     preset_.screw_damping_n_s_m * (motor_.velocity_m_s - platen_.velocity_m_s));
}

void StageCarriage::substep(const DriveCommand& command, const SpecimenLoad& load, double dt_s) noexcept {
    const double screw_n = screw_force_n();
    const double fixture_n = scale_ * (preset_.fixture_stiffness_n_m * (platen_.position_m - fixture_.position_m) +
                                       preset_.fixture_damping_n_s_m * (platen_.velocity_m_s - fixture_.velocity_m_s));
    const double cogging_n =
        scale_ * preset_.cogging_n * std::sin(2.0 * std::numbers::pi * motor_.position_m / preset_.cogging_period_m);
    double motor_n = next_force_n(command.enable ? wanted_n_ : 0.0, dt_s) - screw_n - cogging_n +
                     screw_friction_.force_n(motor_.velocity_m_s, motor_.position_m, dt_s);
    if (command.brake)  // at most what brings the motor to rest in this step
        motor_n += std::clamp(-(motor_.velocity_m_s * motor_kg_ / dt_s + motor_n), -brake_force_n_, brake_force_n_);
    const double platen_n =
        screw_n - fixture_n + guide_friction_.force_n(platen_.velocity_m_s, platen_.position_m, dt_s);
    seat_impulse_n_s_ += fixture_n * dt_s;
    accelerate(motor_, motor_n / motor_kg_, dt_s);
    accelerate(platen_, platen_n / platen_kg_, dt_s);
    accelerate(fixture_, (fixture_n + load.force_n) / (fixture_kg_ + load.mass_kg), dt_s);
    if (std::abs(platen_.position_m) > frame_m_) {  // inelastic
        platen_.position_m = std::copysign(frame_m_, platen_.position_m);
        platen_.velocity_m_s = 0.0;
    }
}

SeatStep StageCarriage::step(const DriveCommand& command, double, const SpecimenLoad& load, double dt_s) noexcept {
    seat_impulse_n_s_ = 0.0;
    const double platen_before_m_s = platen_.velocity_m_s, seat_before_m_s = fixture_.velocity_m_s;
    for (int i = 0; i < kSubsteps; ++i) substep(command, load, dt_s / kSubsteps);
    wanted_n_ = command.enable ? command.force_n : 0.0;
    platen_.acceleration_m_s2 = (platen_.velocity_m_s - platen_before_m_s) / dt_s;
    return {seat_impulse_n_s_, fixture_kg_, (fixture_.velocity_m_s - seat_before_m_s) / dt_s};
}

// The substeps took the specimens for what they would do without impacts.
void StageCarriage::settle(double velocity_m_s, double dt_s) noexcept {
    fixture_.position_m += 0.5 * dt_s * (velocity_m_s - fixture_.velocity_m_s);
    fixture_.velocity_m_s = velocity_m_s;
}

double StageCarriage::momentum_kg_m_s() const noexcept {
    return motor_kg_ * motor_.velocity_m_s + platen_kg_ * platen_.velocity_m_s + fixture_kg_ * fixture_.velocity_m_s;
}

void StageCarriage::push(double velocity_m_s) noexcept {
    for (Motion* mass : {&motor_, &platen_, &fixture_}) mass->velocity_m_s += velocity_m_s;
}

}  // namespace topple::hil::sim_table
