#include "firmware_iface/device/servo.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace topple::firmware_iface {

namespace {
constexpr double kFilterPoles = 2.0;  // of the setpoint's acceleration, both at the same place
}  // namespace

ServoParameters servo_of(const MachineDescription& machine, double payload_kg) noexcept {
    return {machine.servo, drive_force_max_n(machine), machine.moving_mass_kg, payload_kg};
}

Servo::Servo(const ServoParameters& parameters) noexcept
    : parameters_(parameters),
      mass_kg_(parameters.moving_mass_kg + parameters.payload_kg),
      notch_(notch_of(parameters)) {
    const ServoGains& gains = parameters.gains;
    const double platen_kg = mass_kg_ - gains.motor_mass_ratio * parameters.moving_mass_kg;
    compliance_s2_ = gains.screw_stiffness_n_m > 0.0 ? platen_kg / gains.screw_stiffness_n_m : 0.0;
    const double motor_kg = gains.motor_mass_ratio * parameters.moving_mass_kg;
    // (s^2 + 2 zeta w s + w^2) (s + r w): the velocity's gain is (2 zeta + r) w, on the whole mass.
    const double velocity_gains = 2.0 * gains.damping_ratio + gains.integral_ratio;
    position_rad_s_ = mass_kg_ > 0.0 ? gains.motor_loop_rad_s * motor_kg / (velocity_gains * mass_kg_) : 0.0;
    disturbance_rad_s_ = gains.integral_ratio * position_rad_s_;
    const double dt = parameters.sample_s;
    drive_share_ = gains.drive_lag_s > 0.0 ? -std::expm1(-dt / gains.drive_lag_s) : 1.0;
    // Three equal poles: the critically damped alpha-beta-gamma filter.
    const double pole = std::exp(-gains.observer_rad_s * dt), rest = 1.0 - pole;
    correct_position_ = 1.0 - pole * pole * pole;
    correct_velocity_1_s_ = 1.5 * (1.0 - pole * pole) * rest / dt;
    correct_acceleration_1_s2_ = rest * rest * rest / (dt * dt);
}

// Second-order notch, bilinear transform with the frequency kept in place.
Servo::Notch Servo::notch_of(const ServoParameters& parameters) noexcept {
    const ServoGains& gains = parameters.gains;
    if (gains.notch_hz <= 0.0) return {};
    const double w = 2.0 * std::numbers::pi * gains.notch_hz * parameters.sample_s, cosine = std::cos(w);
    const double poles = std::sin(w) * gains.notch_width_ratio, zeros = gains.notch_depth_ratio * poles;
    const double a0 = 1.0 + poles;
    return {(1.0 + zeros) / a0, -2.0 * cosine / a0, (1.0 - zeros) / a0, -2.0 * cosine / a0, (1.0 - poles) / a0};
}

double Servo::Notch::filter(double in) noexcept {
    const double out = b0 * in + s1;
    s1 = b1 * in - a1 * out + s2;
    s2 = b2 * in - a2 * out;
    return out;
}

void Servo::reset(double position_m) noexcept {
    position_m_ = position_m;
    velocity_m_s_ = acceleration_m_s2_ = momentum_n_s_ = disturbance_n_ = drive_n_ = friction_now_n_ = 0.0;
    smooth_m_s2_ = smooth_m_s3_ = notch_.s1 = notch_.s2 = 0.0;
    status_ = {};
}

double Servo::friction_n(double velocity_m_s) const noexcept {
    const ServoGains& gains = parameters_.gains;
    return gains.coulomb_n * std::tanh(velocity_m_s / gains.friction_speed_m_s) + gains.viscous_n_s_m * velocity_m_s;
}

// A platen behind a spring follows the motor as x_motor = x + c a: what must happen at the motor has two derivatives
// more than the setpoint. Their filter's delay is made good to first order.
Servo::Reference Servo::reference(const AxisSetpoint& setpoint, unsigned cycles) noexcept {
    const ServoGains& gains = parameters_.gains;
    const double w = gains.compliance_filter_rad_s, dt = parameters_.sample_s, delay_s = kFilterPoles / w;
    double snap = 0.0;
    for (unsigned i = 0; i < cycles; ++i) {
        snap = w * w * (setpoint.acceleration_m_s2 - smooth_m_s2_) - 2.0 * w * smooth_m_s3_;
        smooth_m_s3_ += snap * dt;
        smooth_m_s2_ += smooth_m_s3_ * dt;
    }
    const double acceleration = smooth_m_s2_ + delay_s * smooth_m_s3_, jerk = smooth_m_s3_ + delay_s * snap;
    const double motor_kg = gains.motor_mass_ratio * parameters_.moving_mass_kg;
    return {setpoint.position_m + compliance_s2_ * acceleration, setpoint.velocity_m_s + compliance_s2_ * jerk,
            mass_kg_ * (setpoint.acceleration_m_s2 + gains.drive_lag_s * jerk) + motor_kg * compliance_s2_ * snap};
}

// One cycle on: where the platen goes by itself, and the momentum that the known forces give it.
void Servo::predict() noexcept {
    const double dt = parameters_.sample_s;
    position_m_ += dt * (velocity_m_s_ + 0.5 * dt * acceleration_m_s2_);
    velocity_m_s_ += dt * acceleration_m_s2_;
    drive_n_ += (status_.force_n - drive_n_) * drive_share_;
    momentum_n_s_ += dt * (drive_n_ - friction_now_n_ + disturbance_n_);
}

// The momentum that the known forces do not explain is the disturbance's, up to its bandwidth.
void Servo::observe(double position_m) noexcept {
    const double surprise_m = position_m - position_m_;
    position_m_ += correct_position_ * surprise_m;
    velocity_m_s_ += correct_velocity_1_s_ * surprise_m;
    acceleration_m_s2_ += correct_acceleration_1_s2_ * surprise_m;
    disturbance_n_ = disturbance_rad_s_ * (mass_kg_ * velocity_m_s_ - momentum_n_s_);
}

double Servo::step(const AxisSetpoint& setpoint, double position_m, unsigned cycles) noexcept {
    const ServoGains& gains = parameters_.gains;
    if (mass_kg_ <= 0.0) return 0.0;
    cycles = std::clamp(cycles, 1U, kCyclesMax);
    for (unsigned i = 0; i < cycles; ++i) predict();
    observe(position_m);
    const Reference wanted = reference(setpoint, cycles);
    friction_now_n_ = friction_n(wanted.velocity_m_s);
    const double feedback_m_s2 = position_rad_s_ * (position_rad_s_ * (wanted.position_m - position_m_) +
                                                    2.0 * gains.damping_ratio * (wanted.velocity_m_s - velocity_m_s_));
    const double force_n = wanted.force_n + friction_now_n_ + notch_.filter(mass_kg_ * feedback_m_s2 - disturbance_n_);
    const double limit_n = parameters_.force_max_n;
    status_ = {std::clamp(force_n, -limit_n, limit_n), wanted.position_m - position_m, disturbance_n_,
               std::abs(force_n) > limit_n};
    return status_.force_n;
}

}  // namespace topple::firmware_iface
