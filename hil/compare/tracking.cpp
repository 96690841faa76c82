#include "hil/compare/tracking.hpp"

#include <cmath>

#include "hil/compare/motion_window.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

double error_ratio(double achieved, double commanded) { return commanded > 0.0 ? achieved / commanded - 1.0 : 0.0; }

}  // namespace

Tracking assess_tracking(const AchievedMotion& motion, double motion_end_s) {
    Tracking tracking;
    if (motion.empty() || !motion.has_command || !(motion_end_s > 0.0)) return tracking;
    tracking.evaluated = true;
    tracking.rest_offset_m = motion.rest_position_m - motion.command_position_m;
    const double end_s = motion_end_s + 0.1;
    const std::vector<double> times = motion.grid.times_s();
    const auto peak = [&](const std::vector<double>& value) {
        return signal::largest_magnitude(within(times, value, 0.0, end_s));
    };
    tracking.commanded_displacement_peak_m = peak(motion.commanded.displacement_m);
    tracking.achieved_displacement_peak_m = peak(motion.achieved.displacement_m);
    tracking.commanded_velocity_peak_m_s = peak(motion.commanded.velocity_m_s);
    tracking.achieved_velocity_peak_m_s = peak(motion.achieved.velocity_m_s);
    tracking.commanded_acceleration_peak_m_s2 = peak(motion.commanded.acceleration_m_s2);
    tracking.achieved_acceleration_peak_m_s2 = peak(motion.achieved.acceleration_m_s2);
    tracking.velocity_peak_error_ratio =
        error_ratio(tracking.achieved_velocity_peak_m_s, tracking.commanded_velocity_peak_m_s);
    tracking.acceleration_peak_error_ratio =
        error_ratio(tracking.achieved_acceleration_peak_m_s2, tracking.commanded_acceleration_peak_m_s2);
    std::vector<double> errors;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i] < 0.0 || times[i] > end_s) continue;
        errors.push_back(motion.achieved.displacement_m[i] - motion.commanded.displacement_m[i]);
        if (std::abs(errors.back()) <= tracking.displacement_peak_error_m) continue;
        tracking.displacement_peak_error_m = std::abs(errors.back());
        tracking.displacement_peak_error_time_s = times[i];
    }
    tracking.displacement_rms_error_m = signal::root_mean_square(errors);
    const MotionMatch match =
        match_motions(motion.grid, motion.commanded.displacement_m, motion.achieved.displacement_m, 0.0, end_s);
    tracking.lag_s = match.lag_s;
    tracking.sign_reversed = match.sign_reversed;
    return tracking;
}

}  // namespace topple::hil::compare
