// Both channels weighed by the same test functions, so that they can be compared without differentiating or
// integrating either: derived in docs/measured_motion.md#estimator.
#pragma once

#include <complex>
#include <vector>

#include "hil/fused_motion/calibration.hpp"

namespace topple::hil::fused_motion {

/// For test functions w(t) exp(-i omega_k t), omega_k = 2 pi k/T: integrals of the reading, of the displacement with
/// the second derivative of the function, and of 1. No initial position and velocity are left in them.
struct WeakForm {
    std::vector<double> omega_rad_s;  ///< from 0 on
    std::vector<std::complex<double>> reading, displacement, one;
    std::vector<double> reading_gain_s, displacement_gain;  ///< variance per two-sided density of white noise
    double flat_ratio = 1.0;                                ///< mean of w^2
    double duration_s = 0.0;                                ///< T
    double displacement_step_s = 0.0;
    double resolution_m = 0.0;     ///< smallest step between two displacements; 0: none was seen
    double travel_m = 0.0;         ///< largest less smallest displacement
    double reading_density = 0.0;  ///< two-sided, of what scatters from sample to sample; unit^2/Hz
    double seen_ratio = 1.0;       ///< of the reading's mean square about its mean: what lies at these frequencies
};

/// The reading is taken at t + shift_s. The whole is what both saw, less spare_s at both ends of the reading, and the
/// same for every |shift_s| <= spare_s. Throws std::invalid_argument if it is too short.
WeakForm weak_form(const MeasuredMotion& measured, double shift_s, double spare_s);

}  // namespace topple::hil::fused_motion
