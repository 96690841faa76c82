// Bias, gain, sign and time shift of an acceleration, told by the displacement that was measured beside it.
#pragma once

#include <string>

#include "hil/signal/even_grid.hpp"

namespace topple::hil::fused_motion {

/// Both channels of one motion, each at its own times on (nearly) one clock.
struct MeasuredMotion {
    signal::Samples displacement;       ///< m; any zero
    signal::Samples acceleration;       ///< the reading: m/s2, or any unit
    double displacement_rate_hz = 0.0;  ///< at which it was measured, if it was interpolated; 0: that of its times
};

struct CalibrationOptions {
    bool unit_is_known = true;  ///< of the acceleration; false: the gain is a matter of its unit, any is plausible
    /// Of the acceleration, as its file says: "m/s2", "g", "cm/s2", "mm/s2"; empty: any of them.
    std::string stated_unit{};
    double shift_max_s = 0.05;  ///< that is searched, both ways; 0, or at least kShiftMaxLeast_s
};

/// acceleration of the platen at t = sign gain (reading at t + shift_s - bias). Standard errors are of one sigma, from
/// the disagreement of the two channels themselves.
struct Calibration {
    int sign = 1;       ///< -1: the acceleration is reversed
    double gain = 1.0;  ///< m/s2 per unit of the reading, > 0
    double gain_error_m_s2_per_reading = 0.0;
    double bias_reading = 0.0;  ///< unit of the reading
    double bias_error_reading = 0.0;
    double shift_s = 0.0;  ///< the reading comes later than the displacement by this
    double shift_error_s = 0.0;
    double correlation = 0.0;  ///< of both accelerations in the band, 0 to 1
    double band_low_hz = 0.0;  ///< band that holds what they have to say of each other
    double band_high_hz = 0.0;
    double acceleration_noise_m_s2_per_root_hz = 0.0;  ///< one-sided density
    double displacement_noise_m_per_root_hz = 0.0;     ///< one-sided density
    double crossover_hz = 0.0;  ///< displacement below, acceleration above: where their noises are equal
    /// "g where m/s2 is stated" if the gain is that of another unit than was stated; else empty.
    std::string unit_mixed_up;
    /// "the displacement is 1000 times too large (mm where m is stated)" if that explains the gain as well; else empty.
    std::string displacement_suspected;

    double signed_gain() const noexcept { return sign * gain; }
};

/// Method, limits and thresholds: docs/measured_motion.md. Throws std::invalid_argument, with the numbers, if the two
/// do not overlap for 64 samples, the displacement is too coarse, the correlation is too low, sign or shift are
/// ambiguous, or the gain is not plausible.
Calibration calibrate(const MeasuredMotion& measured, const CalibrationOptions& options = {});

inline constexpr double kCorrelationMin = 0.7;        ///< below: the sign is not believed
inline constexpr double kGainError_ratio = 0.1;       ///< standard error per gain, above: the gain is not believed
inline constexpr double kGainOff_factor = 2.0;        ///< from 1, of a reading whose unit is stated
inline constexpr double kUnitGain_ratio = 0.05;       ///< so near to the factor between two units, it is that
inline constexpr double kShiftMaxLeast_s = 1e-5;      ///< of what is searched: no two instruments are nearer
inline constexpr double kResolutionMin_steps = 20.0;  ///< of the displacement's travel

/// "acceleration REVERSED (sign -1), gain 0.981 ± 0.004, ..." in one line; "close to unity" where it is.
std::string describe(const Calibration& calibration);
/// Gain, bias and sign are 1, 0 and + within twice their standard errors or 2 %.
bool is_close_to_unity(const Calibration& calibration);

}  // namespace topple::hil::fused_motion
