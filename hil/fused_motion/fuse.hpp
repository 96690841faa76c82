// One motion from both channels: the displacement says what is slow, the acceleration what is quick.
#pragma once

#include <vector>

#include "hil/fused_motion/calibration.hpp"

namespace topple::hil::fused_motion {

struct FusedMotion {
    signal::EvenGrid grid;  ///< on the displacement's clock
    std::vector<double> displacement_m, velocity_m_s;
    std::vector<double> acceleration_m_s2;  ///< its double integral is `displacement_m`
    double residual_m = 0.0;                ///< rms of measured less fused displacement
};

/// The acceleration, calibrated, with the smooth correction that brings its double integral to the displacement:
/// zero phase, share of the displacement 1/(1 + (f/crossover)^4). Outside of what was measured the acceleration is that
/// of its nearest sample. Throws std::invalid_argument for fewer than 4 displacements within the grid.
FusedMotion fuse(const MeasuredMotion& measured, const Calibration& calibration, const signal::EvenGrid& grid);

/// Even times at the acceleration's step on which both channels were measured. Empty if they do not overlap.
signal::EvenGrid common_grid(const MeasuredMotion& measured, double shift_s);

/// Motions that the same channels allow: at the ends of what is known of gain, bias and shift, with another crossover,
/// and without the displacement.
struct Variant {
    const char* name;  ///< "gain_low", "gain_high", "bias_...", "shift_...", "crossover_half", "..._double", "as_given"
    std::vector<double> acceleration_m_s2;  ///< on the grid
};
inline constexpr double kVariedBy_sigmas = 2.0;
inline constexpr double kCrossoverVaried_factor = 2.0;  ///< down and up: the crossover is chosen, not measured
/// "as_given" is the reading as it stands: its unit taken at its word, with its bias, sign and time.
std::vector<Variant> variants(const MeasuredMotion& measured, const Calibration& calibration,
                              const signal::EvenGrid& grid);

}  // namespace topple::hil::fused_motion
