#include "hil/sim_table/sensors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace topple::hil::sim_table {

namespace {
constexpr std::uint64_t kSensorStream = 2;
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

Sensors::Sensors(const firmware_iface::MachineDescription& machine, const SensorParameters& parameters,
                 std::uint64_t seed, double encoder_zero_m)
    : parameters_(parameters),
      counts_per_m_(machine.counts_per_m),
      encoder_sign_(machine.encoder_sign < 0 ? -1.0 : 1.0),
      accelerometer_factor_((machine.accelerometer_sign < 0 ? -1.0 : 1.0) / machine.accelerometer_scale),
      limit_m_(machine.stroke_m + 0.7 * machine.buffer_travel_m),
      encoder_zero_m_(encoder_zero_m),
      noise_(seed, kSensorStream),
      bias_x_m_s2_(parameters.acceleration_bias_m_s2 * noise_.normal()),
      bias_y_m_s2_(parameters.acceleration_bias_m_s2 * noise_.normal()),
      gain_(1.0 + parameters.acceleration_gain_ratio * noise_.normal()) {
    sampled_.has_acceleration = true;
}

void Sensors::follow(const Plant& plant, double dt_s) noexcept {
    const double pole = 2.0 * std::numbers::pi * parameters_.acceleration_filter_hz;
    const double share = -std::expm1(-pole * dt_s);
    half_filtered_m_s2_ = parameters_.acceleration_poles < 2
                              ? plant.acceleration_m_s2()
                              : half_filtered_m_s2_ + (plant.acceleration_m_s2() - half_filtered_m_s2_) * share;
    filtered_m_s2_ += (half_filtered_m_s2_ - filtered_m_s2_) * share;
    std::copy_backward(delayed_m_s2_.begin(), delayed_m_s2_.end() - 1, delayed_m_s2_.end());
    delayed_m_s2_.front() = filtered_m_s2_;
    drift_m_s2_ += parameters_.acceleration_drift_m_s2_s * dt_s;
}

double Sensors::reported(double true_acceleration_m_s2, double bias_m_s2, double gain) noexcept {
    const double noisy =
        gain * true_acceleration_m_s2 + bias_m_s2 + parameters_.acceleration_noise_m_s2 * noise_.normal();
    return accelerometer_factor_ * noisy;
}

void Sensors::sample(const Plant& plant) noexcept {
    const double felt_m_s2 = delayed_m_s2_[parameters_.acceleration_delay_steps];
    sampled_.acceleration_x_m_s2 = reported(felt_m_s2, bias_x_m_s2_ + drift_m_s2_, gain_);
    sampled_.acceleration_y_m_s2 = reported(parameters_.cross_axis_ratio * felt_m_s2, bias_y_m_s2_ + drift_m_s2_, 1.0);
    std::size_t count = 0;
    for (const CarriedSpecimen& specimen : plant.specimens())
        for (std::size_t i = 0; i < specimen.block_count() && count < firmware_iface::kRotationSensorsMax; ++i)
            sampled_.rotation_rad[count++] =
                specimen.rotation_rad(i) + parameters_.rotation_noise_rad * noise_.normal();
    sampled_.rotation_count = count;
}

firmware_iface::Measurement Sensors::read(const Plant& plant) const noexcept {
    firmware_iface::Measurement m = sampled_;
    const double x = plant.position_m();
    const double exact = encoder_sign_ * (plant.encoder_position_m() - encoder_zero_m_) * counts_per_m_;
    const double phase = 2.0 * std::numbers::pi * exact / parameters_.encoder_period_counts;
    const double ripple = parameters_.encoder_ripple_counts * std::sin(phase);
    m.encoder_count = std::llround(exact + ripple);
    m.reference_pressed = x < 0.0;
    m.limit_pressed = std::abs(x) > limit_m_;
    return m;
}

}  // namespace topple::hil::sim_table
