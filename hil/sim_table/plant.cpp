#include "hil/sim_table/plant.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

Plant::Plant(const PlantParameters& parameters, std::vector<CarriedSpecimen> specimens, double position_m)
    : parameters_(parameters), specimens_(std::move(specimens)), position_m_(position_m) {}

void Plant::stand_specimens_up() {
    for (CarriedSpecimen& specimen : specimens_) specimen.stand_up();
}

double Plant::next_force_n(const DriveCommand& command, double encoder_zero_m, double dt_s) noexcept {
    if (!command.enable) return force_n_ = 0.0;
    const auto& p = parameters_;
    // The drive's own loop sees the interpolated encoder, finer than the counts that are reported.
    const double error_m = command.setpoint.position_m - (position_m_ - encoder_zero_m);
    const double error_m_s = command.setpoint.velocity_m_s - velocity_m_s_;
    const double acceleration = command.setpoint.acceleration_m_s2 + p.servo_rad_s * p.servo_rad_s * error_m +
                                2.0 * p.servo_damping_ratio * p.servo_rad_s * error_m_s;
    const double faster = std::clamp(
        (p.velocity_max_m_s - std::abs(velocity_m_s_)) / (kVelocityFade_ratio * p.velocity_max_m_s), 0.0, 1.0);
    const double wanted = p.servo_mass_kg * acceleration;
    const double force_max_n = force_ratio_ * p.force_max_n;
    const double limit = wanted * velocity_m_s_ > 0.0 ? faster * force_max_n : force_max_n;
    force_n_ += (std::clamp(wanted, -limit, limit) - force_n_) * -std::expm1(-dt_s / p.force_lag_s);
    return force_n_;
}

double Plant::friction_n() const noexcept {
    return -parameters_.viscous_n_s_m * velocity_m_s_ -
           parameters_.coulomb_n * std::tanh(velocity_m_s_ / kCoulombSpeed_m_s);
}

void Plant::step(std::uint64_t now_us, std::uint32_t step_us, const DriveCommand& command,
                 double encoder_zero_m) noexcept {
    const double dt = 1e-6 * step_us;
    double force = next_force_n(command, encoder_zero_m, dt) + friction_n();
    double load_n = 0.0, inertia_kg = parameters_.moving_mass_kg;
    for (const CarriedSpecimen& specimen : specimens_) {
        const auto load = specimen.load();
        load_n += load.force_n;
        inertia_kg -= load.slope_kg;
    }
    if (command.brake) {  // at most what brings the platen to rest in this step
        const double needed = -(velocity_m_s_ * inertia_kg / dt + force + load_n);
        force += std::clamp(needed, -parameters_.brake_force_n, parameters_.brake_force_n);
    }
    const double acceleration = (force + load_n) / inertia_kg;

    const bool let_go = command.release_specimen && !release_seen_;  // once per motion that asks for it
    release_seen_ = command.release_specimen;
    const double felt_m_s2 = acceleration + unfelt_m_s_ / dt;
    double mass_kg = parameters_.moving_mass_kg, impulse_n_s = force * dt;
    for (CarriedSpecimen& specimen : specimens_) {
        double duration = dt;
        if (let_go && specimen.held()) {
            specimen.release();
            if (command.start_time_us <= now_us) duration += 1e-6 * static_cast<double>(now_us - command.start_time_us);
        }
        const auto exchange = specimen.advance(felt_m_s2, duration);
        mass_kg += exchange.attached_mass_kg;
        impulse_n_s += exchange.impulse_n_s;
    }
    const double before = velocity_m_s_;
    velocity_m_s_ += impulse_n_s / mass_kg;
    unfelt_m_s_ = velocity_m_s_ - before - acceleration * dt;
    acceleration_m_s2_ = (velocity_m_s_ - before) / dt;
    position_m_ += 0.5 * dt * (before + velocity_m_s_);
    if (std::abs(position_m_) > parameters_.frame_m) {  // inelastic
        position_m_ = std::copysign(parameters_.frame_m, position_m_);
        velocity_m_s_ = 0.0;
    }
}

double Plant::horizontal_momentum_kg_m_s() const noexcept {
    double momentum = parameters_.moving_mass_kg * velocity_m_s_;
    for (const CarriedSpecimen& specimen : specimens_)
        momentum += specimen.standing_mass_kg() * velocity_m_s_ + specimen.relative_momentum_kg_m_s();
    return momentum;
}

}  // namespace topple::hil::sim_table
