// An explicit lead-in and lead-out for motions that start or end with a step of acceleration.
#pragma once

#include "solver/motion/base_motion.hpp"

namespace topple::solver {

/// A motion with its first and last step of acceleration replaced by jerk-limited stretches, and the effect of this.
struct LeadIn {
    BaseMotion motion;                       ///< lead-in, the original motion from lead_in_s on, lead-out
    double lead_in_s = 0.0;                  ///< added before; 0 if the motion starts without a step
    double lead_out_s = 0.0;                 ///< added after; 0 if it ends without one
    double counter_acceleration_m_s2 = 0.0;  ///< largest acceleration against the step, a third of it
    double velocity_peak_before_m_s = 0.0, velocity_peak_after_m_s = 0.0;
    double travel_before_m = 0.0, travel_after_m = 0.0;  ///< highest minus lowest displacement
};

/// Over s = 0 .. 1 the lead-in accelerates by a0 (3 s^2 - 2 s): from 0 to the step a0 with jerk at most jerk_max_m_s3
/// in absolute value, its integral zero, so that the original motion begins at its original velocity and goes on
/// unchanged, displaced by -a0 lead_in_s^2 / 12. The lead-out is its mirror image in time. Steps between pieces stay.
/// The specimen feels a third of the step in the other direction first: the prediction
/// of the changed motion shows whether that starts rocking. Throws std::invalid_argument if jerk_max_m_s3 is not above
/// 0 or the motion starts before t = 0.
LeadIn with_lead_in(const BaseMotion& motion, double jerk_max_m_s3);

}  // namespace topple::solver
