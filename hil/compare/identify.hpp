// Which excitation the table really made: amplitude, frequency and delay fitted to the achieved motion.
#pragma once

#include <optional>
#include <string>

#include "hil/compare/achieved_motion.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::compare {

inline constexpr double kDoubleConstantHarmonic_ratio = 0.05;  ///< third harmonic of a sine clipped at 86 % of its peak
inline constexpr double kDoubleConstantPeak_ratio = 0.95;      ///< peak per fitted amplitude, below
inline constexpr double kUnseenWorthARemark_ratio = 0.02;      ///< a smaller unseen share does not matter

/// Least squares of a(t) = s a_planned(r (t - tau)) over the motion, model and measurement through the same
/// differences and filter. r is a ratio of frequencies; of a record or a pulse: how much faster it went by.
/// docs/report.md#identified.
struct IdentifiedExcitation {
    bool evaluated = false;        ///< false: see why_not
    double amplitude_ratio = 1.0;  ///< |s|
    double frequency_ratio = 1.0;  ///< r
    double delay_s = 0.0;          ///< tau, from the first setpoint
    /// One standard deviation of the three above, from the misfit as noise that is white up to the bandwidth of the
    /// measurement. What the table does wrong is part of the misfit.
    double amplitude_ratio_error = 0.0, frequency_ratio_error = 0.0, delay_error_s = 0.0;
    double residual_ratio = 0.0;                 ///< rms of the misfit / rms of the measured acceleration
    std::optional<double> amplitude_m_s2;        ///< sine, cosine; harmonic: of the displacement's second derivative
    std::optional<double> frequency_hz;          ///< sine, cosine, harmonic
    std::optional<double> third_harmonic_ratio;  ///< in the sense of flattened peaks; sine and cosine below 20 Hz
    bool double_constant = false;                ///< the peaks are flattened: actuator at its limit
    double correlation = 0.0;                    ///< of planned and achieved displacement
    bool sign_reversed = false;                  ///< the table moved the other way
    /// Share of the planned acceleration's mean square that lies above the bandwidth of the measurement, 0 to 1.
    double unseen_ratio = 0.0;
    bool above_bandwidth = false;                              ///< more than half of it is unseen: not evaluated
    std::string why_not = "the platen's motion is not known";  ///< if not evaluated
};

/// Pure. `motion` must hold the whole planned motion.
IdentifiedExcitation identify_excitation(const AchievedMotion& motion, const experiment::Excitation& excitation);

/// The fitted wave on the motion's grid, through the differences and filter of the achieved acceleration.
std::vector<double> fitted_acceleration_m_s2(const AchievedMotion& motion, const solver::BaseMotion& planned,
                                             const IdentifiedExcitation& fitted);

}  // namespace topple::hil::compare
