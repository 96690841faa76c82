// Is the accelerometer to be believed? Bias and noise at rest; delay, gain and sign against the encoder.
#pragma once

#include <span>

#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/motion_window.hpp"

namespace topple::hil::compare {

inline constexpr double kAccelerometerBand_hz = 30.0;           ///< in which it is compared with the encoder
inline constexpr double kAccelerometerDelayMax_s = 0.020;       ///< searched both ways
inline constexpr double kAccelerometerCorrelationMin = 0.9;     ///< below: not used
inline constexpr double kAccelerometerGainError_ratio = 0.25;   ///< beyond: not used
inline constexpr double kAccelerometerClipped_ratio = 1.1;      ///< encoder's peak to an extreme reading that repeats
inline constexpr std::size_t kAccelerometerClippedSamples = 5;  ///< equal ones in a row

/// Removes the mean reading of the rest window (nothing without one) and stores bias and noise.
void remove_rest_reading(signal::Samples& samples, const MotionWindow& window, AccelerometerAssessment& assessment);

/// Delay, gain and correlation by least squares within kAccelerometerBand_hz over the whole test; sets `used`
/// and, where it is not, `remark`. A platen that hardly moves gives nothing to compare: used as it is, delay
/// 0, gain 1.
void compare_with_encoder(const signal::Samples& accelerometer, const signal::EvenGrid& grid,
                          std::span<const double> encoder_m_s2, AccelerometerAssessment& assessment);

}  // namespace topple::hil::compare
