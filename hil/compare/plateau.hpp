// Constant accelerations of a plan, as the platen made them: level, slope, ripple, gain of velocity.
#pragma once

#include <vector>

#include "hil/compare/achieved_motion.hpp"

namespace topple::hil::compare {

/// One piece of constant planned acceleration. The plateau is the piece without kPlateauEdge_s at both ends, where
/// filter and drive round its corners.
struct Plateau {
    double start_s = 0.0, end_s = 0.0;  ///< of the planned piece
    double planned_m_s2 = 0.0;
    double mean_m_s2 = 0.0;        ///< of the achieved acceleration over the plateau
    double mean_error_m_s2 = 0.0;  ///< standard error of the mean: the ripple over the independent samples
    double slope_m_s3 = 0.0;       ///< of the straight line through it
    double ripple_m_s2 = 0.0;      ///< rms about that line
    double planned_gain_m_s = 0.0, gain_m_s = 0.0;  ///< of velocity from start to end: the area of the pulse
};

inline constexpr double kPlateauEdge_s = 0.02;
inline constexpr double kPlateauShortest_s = 0.08;  ///< pieces that are shorter have no plateau to speak of

/// Every piece of the plan that has a plateau and was recorded to its end, in order; empty for waves without any.
std::vector<Plateau> find_plateaus(const AchievedMotion& motion, const solver::BaseMotion& planned);

}  // namespace topple::hil::compare
