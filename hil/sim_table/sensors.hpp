// What the simulated table's electronics read: encoder counts, a noisy accelerometer, rotations of the blocks.
#pragma once

#include <array>
#include <cstdint>

#include "firmware_iface/device/device_core.hpp"
#include "firmware_iface/machine.hpp"
#include "hil/sim_table/noise.hpp"
#include "hil/sim_table/plant.hpp"
#include "hil/sim_table/table_preset.hpp"

namespace topple::hil::sim_table {

/// One standard deviation each. Bias and gain are drawn once from the seed and stay.
struct SensorParameters {
    double acceleration_noise_m_s2 = 0.03;
    double acceleration_bias_m_s2 = 0.05;  ///< 5 mg, as such sensors rest
    double acceleration_gain_ratio = 0.005;
    double acceleration_filter_hz = 250.0;  ///< one pole
    double rotation_noise_rad = 0.2e-3;     ///< per block and sample
    // The rest are values, not deviations.
    std::size_t acceleration_poles = 1;        ///< of the filter: 1 or 2
    std::size_t acceleration_delay_steps = 0;  ///< of 100 us, at most kDelaySteps
    double cross_axis_ratio = 0.005;           ///< what the y accelerometer feels of x
    double acceleration_drift_m_s2_s = 0.0;
    double encoder_ripple_counts = 0.0;  ///< amplitude of the interpolation error
    double encoder_period_counts = 1.0;  ///< of it

    static constexpr std::size_t kDelaySteps = 15;
    static SensorParameters of(const TablePreset& preset) noexcept;
};

/// The accelerometer's filter runs in every plant step; samples are taken once per feedback period and kept.
class Sensors {
  public:
    Sensors(const firmware_iface::MachineDescription& machine, const SensorParameters& parameters, std::uint64_t seed,
            double encoder_zero_m);

    void follow(const Plant& plant, double dt_s) noexcept;  ///< after each plant step
    void sample(const Plant& plant) noexcept;               ///< accelerometer and rotations, once per period
    /// Encoder and switches as of now, the others as last sampled.
    firmware_iface::Measurement read(const Plant& plant) const noexcept;
    double encoder_zero_m() const noexcept { return encoder_zero_m_; }  ///< platen position at count 0

  private:
    double reported(double true_acceleration_m_s2, double bias_m_s2, double gain) noexcept;

    SensorParameters parameters_;
    double counts_per_m_, encoder_sign_, accelerometer_factor_, limit_m_;
    double encoder_zero_m_;
    Noise noise_;
    double bias_x_m_s2_, bias_y_m_s2_, gain_;
    double filtered_m_s2_ = 0.0, half_filtered_m_s2_ = 0.0;
    double drift_m_s2_ = 0.0;
    std::array<double, SensorParameters::kDelaySteps + 1> delayed_m_s2_{};  // newest first
    firmware_iface::Measurement sampled_;
};

}  // namespace topple::hil::sim_table
