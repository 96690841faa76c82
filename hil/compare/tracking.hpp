// How well the table followed its command.
#pragma once

#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/motion_match.hpp"

namespace topple::hil::compare {

/// Over the motion and 0.1 s after it; both channels through the same filter, both relative to rest.
struct Tracking {
    bool evaluated = false;                  ///< false: no command (imported test) or no motion
    double displacement_peak_error_m = 0.0;  ///< largest |achieved - commanded|
    double displacement_peak_error_time_s = 0.0;
    double displacement_rms_error_m = 0.0;
    double commanded_displacement_peak_m = 0.0, achieved_displacement_peak_m = 0.0;
    double commanded_velocity_peak_m_s = 0.0, achieved_velocity_peak_m_s = 0.0;
    double commanded_acceleration_peak_m_s2 = 0.0, achieved_acceleration_peak_m_s2 = 0.0;
    double velocity_peak_error_ratio = 0.0;      ///< achieved / commanded - 1
    double acceleration_peak_error_ratio = 0.0;  ///< achieved / commanded - 1
    double lag_s = 0.0;                          ///< achieved behind commanded
    double rest_offset_m = 0.0;                  ///< encoder minus setpoint before the test
    bool sign_reversed = false;
};

Tracking assess_tracking(const AchievedMotion& motion, double motion_end_s);

}  // namespace topple::hil::compare
