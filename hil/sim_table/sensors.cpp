#include "hil/sim_table/sensors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace topple::hil::sim_table {

namespace {
constexpr std::uint64_t kSensorStream = 2, kSecondAxisStream = 5;
}  // namespace

SensorParameters SensorParameters::of(const TablePreset& preset) noexcept {
    constexpr double kStep_s = 1e-4;
    SensorParameters p;
    p.acceleration_filter_hz = preset.accelerometer_hz;
    p.acceleration_poles = 2;
    p.acceleration_delay_steps =
        std::min(kDelaySteps, static_cast<std::size_t>(std::lround(preset.accelerometer_delay_s / kStep_s)));
    p.cross_axis_ratio = preset.accelerometer_cross_ratio;
    p.acceleration_drift_m_s2_s = preset.accelerometer_drift_m_s2_s;
    p.encoder_ripple_counts = preset.encoder_ripple_counts;
    p.encoder_period_counts = preset.encoder_period_counts;
    return p;
}

Sensors::Axis Sensors::axis_of(const firmware_iface::AxisDescription& machine, double encoder_zero_m) noexcept {
    return {machine.counts_per_m, machine.encoder_sign < 0 ? -1.0 : 1.0,
            (machine.accelerometer_sign < 0 ? -1.0 : 1.0) / machine.accelerometer_scale,
            machine.stroke_m + 0.7 * machine.buffer_travel_m, encoder_zero_m};
}

Sensors::Sensors(const firmware_iface::MachineDescription& machine, const SensorParameters& parameters,
                 std::uint64_t seed, const std::array<double, 2>& encoder_zero_m)
    : parameters_(parameters),
      axis_count_(machine.axis_count()),
      axes_{axis_of(machine, encoder_zero_m[0]),
            axis_of(machine.y ? *machine.y : static_cast<const firmware_iface::AxisDescription&>(machine),
                    encoder_zero_m[1])},
      noise_(seed, kSensorStream),
      bias_x_m_s2_(parameters.acceleration_bias_m_s2 * noise_.normal()),
      bias_y_m_s2_(parameters.acceleration_bias_m_s2 * noise_.normal()),
      gain_x_(1.0 + parameters.acceleration_gain_ratio * noise_.normal()) {
    if (machine.y) gain_y_ += parameters.acceleration_gain_ratio * Noise(seed, kSecondAxisStream).normal();
    sampled_.has_acceleration = true;
}

void AccelerometerChannel::follow(double acceleration_m_s2, const SensorParameters& parameters, double dt_s) noexcept {
    const double pole = 2.0 * std::numbers::pi * parameters.acceleration_filter_hz;
    const double share = -std::expm1(-pole * dt_s);
    half_filtered_m_s2_ = parameters.acceleration_poles < 2
                              ? acceleration_m_s2
                              : half_filtered_m_s2_ + (acceleration_m_s2 - half_filtered_m_s2_) * share;
    filtered_m_s2_ += (half_filtered_m_s2_ - filtered_m_s2_) * share;
    std::copy_backward(delayed_m_s2_.begin(), delayed_m_s2_.end() - 1, delayed_m_s2_.end());
    delayed_m_s2_.front() = filtered_m_s2_;
}

void Sensors::follow(const Plant& plant, double dt_s) noexcept {
    for (std::size_t i = 0; i < axis_count_; ++i) channels_[i].follow(plant.acceleration_m_s2(i), parameters_, dt_s);
    drift_m_s2_ += parameters_.acceleration_drift_m_s2_s * dt_s;
}

double Sensors::reported(std::size_t axis, double true_acceleration_m_s2, double bias_m_s2, double gain) noexcept {
    const double noisy =
        gain * true_acceleration_m_s2 + bias_m_s2 + parameters_.acceleration_noise_m_s2 * noise_.normal();
    return axes_[axis].accelerometer_factor * noisy;
}

void Sensors::sample(const Plant& plant) noexcept {
    const double x_m_s2 = channels_[0].felt_m_s2(parameters_), y_m_s2 = channels_[1].felt_m_s2(parameters_);
    const double cross = parameters_.cross_axis_ratio;
    sampled_.acceleration_x_m_s2 = reported(0, x_m_s2 + cross * y_m_s2, bias_x_m_s2_ + drift_m_s2_, gain_x_);
    sampled_.acceleration_y_m_s2 = reported(1, cross * x_m_s2 + y_m_s2, bias_y_m_s2_ + drift_m_s2_, gain_y_);
    std::size_t count = 0;
    for (const CarriedSpecimen& specimen : plant.specimens())
        for (std::size_t i = 0; i < specimen.block_count() && count < firmware_iface::kRotationSensorsMax; ++i)
            sampled_.rotation_rad[count++] =
                specimen.rotation_rad(i) + parameters_.rotation_noise_rad * noise_.normal();
    sampled_.rotation_count = count;
}

void Sensors::read_axis(const Plant& plant, std::size_t axis, firmware_iface::AxisMeasurement& into) const noexcept {
    const Axis& own = axes_[axis];
    const double position_m = plant.position_m(axis);
    const double exact = own.encoder_sign * (plant.encoder_position_m(axis) - own.encoder_zero_m) * own.counts_per_m;
    const double phase = 2.0 * std::numbers::pi * exact / parameters_.encoder_period_counts;
    const double ripple = parameters_.encoder_ripple_counts * std::sin(phase);
    into.encoder_count = std::llround(exact + ripple);
    into.reference_pressed = position_m < 0.0;
    into.limit_pressed = std::abs(position_m) > own.limit_m;
}

firmware_iface::Measurement Sensors::read(const Plant& plant) const noexcept {
    firmware_iface::Measurement m = sampled_;
    read_axis(plant, 0, m);
    if (axis_count_ > 1) read_axis(plant, 1, m.y);
    return m;
}

}  // namespace topple::hil::sim_table
