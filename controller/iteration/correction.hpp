// What is added to a target motion so that the platen makes it: a smooth displacement on an even grid.
#pragma once

#include <vector>

#include "solver/motion/base_motion.hpp"

namespace topple::controller {

/// A correction goes on for so long behind the end of its target: what the platen still does there can be corrected.
inline constexpr double kCorrectionTail_s = 0.1;

/// Displacements at 0, step_s, 2 step_s ... of a cubic spline that has no displacement and no velocity at either end:
/// displacement, velocity and acceleration of the corrected drive belong together exactly.
struct Correction {
    double step_s = 0.0;                 ///< > 0
    std::vector<double> displacement_m;  ///< first and last are 0; empty: no correction

    bool empty() const noexcept { return displacement_m.empty(); }
    double end_s() const noexcept;
    /// Its acceleration at the grid, straight lines between.
    std::vector<double> acceleration_m_s2() const;
    double displacement_peak_m() const noexcept;
    double acceleration_peak_m_s2() const;
};

/// The grid of every correction of a motion: steps of about `step_s`, from 0 to kCorrectionTail_s behind its end.
/// All zero.
Correction zero_correction(double duration_s, double step_s);
/// before + factor x change, on one grid; an empty one counts as zero.
Correction sum(const Correction& before, const Correction& change, double factor = 1.0);

/// target + correction: from rest to rest, between the same places, kCorrectionTail_s longer; the target itself for an
/// empty correction. Throws std::invalid_argument for one that does not begin and end at 0, does not end
/// kCorrectionTail_s behind the target, or is not finite.
solver::BaseMotion corrected(const solver::BaseMotion& target, const Correction& correction);

}  // namespace topple::controller
