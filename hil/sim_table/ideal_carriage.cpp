#include "hil/sim_table/ideal_carriage.hpp"

#include <algorithm>
#include <cmath>

namespace topple::hil::sim_table {

using firmware_iface::DriveCommand;

namespace {
constexpr double kVelocityFade_ratio = 0.05;
constexpr double kCoulombSpeed_m_s = 1e-3;  // friction is smoothed below this speed
}  // namespace

PlantParameters plant_of(const firmware_iface::MachineDescription& machine, double payload_kg) noexcept {
    PlantParameters p;
    p.moving_mass_kg = machine.moving_mass_kg;
    p.servo_mass_kg = machine.moving_mass_kg + payload_kg;
    p.force_max_n = machine.acceleration_clean_m_s2 * p.servo_mass_kg;
    p.velocity_max_m_s = machine.velocity_max_m_s;
    p.brake_force_n = machine.brake_deceleration_m_s2 * p.servo_mass_kg;
    p.frame_m = machine.stroke_m + machine.buffer_travel_m;
    return p;
}

double IdealCarriage::next_force_n(const DriveCommand& command, double encoder_zero_m, double dt_s) noexcept {
    if (!command.enable) return force_n_ = 0.0;
    const auto& p = parameters_;
    const double velocity_m_s = platen_.velocity_m_s;
    // The drive's own loop sees the interpolated encoder, finer than the counts that are reported.
    const double error_m = command.setpoint.position_m - (platen_.position_m - encoder_zero_m);
    const double error_m_s = command.setpoint.velocity_m_s - velocity_m_s;
    const double acceleration = command.setpoint.acceleration_m_s2 + p.servo_rad_s * p.servo_rad_s * error_m +
                                2.0 * p.servo_damping_ratio * p.servo_rad_s * error_m_s;
    const double faster = std::clamp(
        (p.velocity_max_m_s - std::abs(velocity_m_s)) / (kVelocityFade_ratio * p.velocity_max_m_s), 0.0, 1.0);
    const double wanted = p.servo_mass_kg * acceleration;
    const double force_max_n = force_ratio_ * p.force_max_n;
    const double limit = wanted * velocity_m_s > 0.0 ? faster * force_max_n : force_max_n;
    force_n_ += (std::clamp(wanted, -limit, limit) - force_n_) * -std::expm1(-dt_s / p.force_lag_s);
    return force_n_;
}

double IdealCarriage::friction_n() const noexcept {
    return -parameters_.viscous_n_s_m * platen_.velocity_m_s -
           parameters_.coulomb_n * std::tanh(platen_.velocity_m_s / kCoulombSpeed_m_s);
}

SeatStep IdealCarriage::step(const DriveCommand& command, double encoder_zero_m, const SpecimenLoad& load,
                             double dt_s) noexcept {
    double force = next_force_n(command, encoder_zero_m, dt_s) + friction_n();
    const double inertia_kg = parameters_.moving_mass_kg + load.mass_kg;
    if (command.brake) {  // at most what brings the platen to rest in this step
        const double needed = -(platen_.velocity_m_s * inertia_kg / dt_s + force + load.force_n);
        force += std::clamp(needed, -parameters_.brake_force_n, parameters_.brake_force_n);
    }
    return {force * dt_s, parameters_.moving_mass_kg, (force + load.force_n) / inertia_kg};
}

void IdealCarriage::settle(double velocity_m_s, double dt_s) noexcept {
    const double before = platen_.velocity_m_s;
    platen_.velocity_m_s = velocity_m_s;
    platen_.acceleration_m_s2 = (velocity_m_s - before) / dt_s;
    platen_.position_m += 0.5 * dt_s * (before + velocity_m_s);
    if (std::abs(platen_.position_m) > parameters_.frame_m) {  // inelastic
        platen_.position_m = std::copysign(parameters_.frame_m, platen_.position_m);
        platen_.velocity_m_s = 0.0;
    }
}

}  // namespace topple::hil::sim_table
