// Does the achieved motion of a record shake structures as the planned one would?
#pragma once

#include <string>
#include <vector>

#include "hil/compare/achieved_motion.hpp"

namespace topple::hil::compare {

inline constexpr double kSpectrumLow_hz = 0.3, kSpectrumHigh_hz = 20.0;
inline constexpr std::size_t kSpectrumFrequencies = 73;  ///< 12 per octave
inline constexpr double kSpectrumDamping_ratio = 0.05;
/// Where the planned spectrum is below this part of its peak, the ratio of two small numbers says nothing.
inline constexpr double kSpectrumFloor_ratio = 0.02;

/// Response spectra of planned and achieved acceleration over the motion, both through the filter of the measurement.
struct SpectrumMatch {
    bool evaluated = false;  ///< false: see why_not
    std::string why_not = "the platen's motion is not known";
    std::vector<double> frequency_hz, planned_m_s2, achieved_m_s2;  ///< pseudo-acceleration, 5 % damping
    double worst_error_ratio = 0.0;                                 ///< achieved / planned - 1 where it is largest
    double worst_frequency_hz = 0.0;
    double rms_error_ratio = 0.0;
    std::size_t compared = 0;  ///< frequencies above the floor
};

/// `motion_end_s`: of the plan. A motion shorter than it is not evaluated.
SpectrumMatch match_spectra(const AchievedMotion& motion, const solver::BaseMotion& planned);

}  // namespace topple::hil::compare
