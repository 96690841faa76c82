// Tilt of the seat from an accelerometer at rest on it, read in two directions: arithmetic.
#pragma once

#include <string>
#include <vector>

namespace topple::hil::check {

/// Mean of correlated samples with its standard error.
struct RestMean {
    double mean_m_s2 = 0.0;
    double error_m_s2 = 0.0;  ///< one standard deviation of the mean
    double noise_m_s2 = 0.0;  ///< standard deviation of one sample
};

/// The samples are not independent (filters, floor vibration), so that noise / sqrt(n) is too small: the error comes
/// from the means of kTiltBatches equal stretches of time, each much longer than what correlates. Needs as many
/// samples.
RestMean rest_mean(const std::vector<double>& samples_m_s2);
inline constexpr std::size_t kTiltBatches = 20;

/// docs/operator.md#tilt-of-the-seat derives it.
struct Tilt {
    double tilt_rad = 0.0;        ///< positive clockwise, right side down, as initial_tilt_rad
    double tilt_error_rad = 0.0;  ///< one standard deviation
    double bias_m_s2 = 0.0;       ///< of the sensor, with signs and scale of the machine file
    double bias_error_m_s2 = 0.0;

    /// False if two standard deviations are larger than the tilt.
    bool distinguishable() const noexcept;
    double bound_rad() const noexcept;  ///< |tilt| is below it, 95 %
};

/// `along`: the sensor's axis points to the right, +x; `against`: turned by 180 degrees about the vertical.
Tilt tilt_of(const RestMean& along, const RestMean& against, double gravity_m_s2);

/// What the operator reads: tilt, bias and the line for the experiment file, or that it is not distinguishable.
std::string describe(const Tilt& tilt);

}  // namespace topple::hil::check
