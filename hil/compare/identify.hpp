// Which excitation the table really made: amplitude, frequency and delay fitted to the achieved motion.
#pragma once

#include <optional>

#include "hil/compare/achieved_motion.hpp"
#include "hil/experiment.hpp"

namespace topple::hil {

inline constexpr double kDoubleConstantHarmonic_ratio =
    0.05;  ///< third harmonic of a sine clipped at 86 % of its peak
inline constexpr double kDoubleConstantPeak_ratio = 0.95;  ///< peak per fitted amplitude, below

/// Least squares of a(t) = s a_planned(r (t - tau)) over the motion, model and measurement through the same
/// differences and filter. For sine, cosine and harmonic the frequency (r) is free, otherwise r = 1.
/// docs/report.md#identified.
struct IdentifiedExcitation {
    bool evaluated = false;        ///< false: nothing moved, nothing was planned, or the motion was not made to its end
    double amplitude_ratio = 1.0;  ///< |s|
    double frequency_ratio = 1.0;  ///< r
    double delay_s = 0.0;          ///< tau, from the first setpoint
    double residual_ratio = 0.0;   ///< rms of the misfit / rms of the measured acceleration
    std::optional<double>
        amplitude_m_s2;                  ///< sine, cosine; harmonic: of the displacement's second derivative
    std::optional<double> frequency_hz;  ///< sine, cosine, harmonic
    std::optional<double>
        third_harmonic_ratio;      ///< in the sense of flattened peaks; sine and cosine below 20 Hz
    bool double_constant = false;  ///< the peaks are flattened: actuator at its limit
    double correlation = 0.0;      ///< of planned and achieved displacement
    bool sign_reversed = false;    ///< the table moved the other way
    bool above_bandwidth = false;  ///< the wave is quicker than the measurement shows: not evaluated
};

IdentifiedExcitation identify_excitation(const AchievedMotion& motion, const Excitation& excitation);

}  // namespace topple::hil
