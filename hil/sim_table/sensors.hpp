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
    double cross_axis_ratio = 0.005;           ///< what the y accelerometer feels of x, and the other way
    double acceleration_drift_m_s2_s = 0.0;
    double encoder_ripple_counts = 0.0;  ///< amplitude of the interpolation error
    double encoder_period_counts = 1.0;  ///< of it

    static constexpr std::size_t kDelaySteps = 15;
    static SensorParameters of(const TablePreset& preset) noexcept;
};

/// The accelerometer's filter and delay in one direction.
class AccelerometerChannel {
  public:
    void follow(double acceleration_m_s2, const SensorParameters& parameters, double dt_s) noexcept;
    double felt_m_s2(const SensorParameters& parameters) const noexcept {
        return delayed_m_s2_[parameters.acceleration_delay_steps];
    }

  private:
    double filtered_m_s2_ = 0.0, half_filtered_m_s2_ = 0.0;
    std::array<double, SensorParameters::kDelaySteps + 1> delayed_m_s2_{};  // newest first
};

/// The accelerometer's filter runs in every plant step; samples are taken once per feedback period and kept.
class Sensors {
  public:
    /// `encoder_zero_m`: of each axis.
    Sensors(const firmware_iface::MachineDescription& machine, const SensorParameters& parameters, std::uint64_t seed,
            const std::array<double, 2>& encoder_zero_m);

    void follow(const Plant& plant, double dt_s) noexcept;  ///< after each plant step
    void sample(const Plant& plant) noexcept;               ///< accelerometer and rotations, once per period
    /// Encoder and switches as of now, the others as last sampled.
    firmware_iface::Measurement read(const Plant& plant) const noexcept;
    /// Platen position at count 0.
    double encoder_zero_m(std::size_t axis = 0) const noexcept { return axes_[axis].encoder_zero_m; }

  private:
    struct Axis {
        double counts_per_m = 1.0, encoder_sign = 1.0, accelerometer_factor = 1.0, limit_m = 0.0;
        double encoder_zero_m = 0.0;
    };
    static Axis axis_of(const firmware_iface::AxisDescription& machine, double encoder_zero_m) noexcept;
    double reported(std::size_t axis, double true_acceleration_m_s2, double bias_m_s2, double gain) noexcept;
    void read_axis(const Plant& plant, std::size_t axis, firmware_iface::AxisMeasurement& into) const noexcept;

    SensorParameters parameters_;
    std::size_t axis_count_;
    std::array<Axis, 2> axes_;  // y: the sensor's second direction, also on a table of one axis
    Noise noise_;
    double bias_x_m_s2_, bias_y_m_s2_, gain_x_, gain_y_ = 1.0;
    std::array<AccelerometerChannel, 2> channels_;
    double drift_m_s2_ = 0.0;
    firmware_iface::Measurement sampled_;
};

}  // namespace topple::hil::sim_table
