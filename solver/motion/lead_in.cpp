#include "solver/motion/lead_in.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace topple::solver {
namespace {

constexpr double kStep_m_s2 = 1e-9;  // smaller ones are rounding

double travel_m(const BaseMotion::Extremes& extremes) {
    return extremes.displacement_max_m - extremes.displacement_min_m;
}

/// a0 (3 s^2 - 2 s), s = tau / T; reversed in time: a0 (1 - 4 s + 3 s^2).
MotionPiece stretch(double step_m_s2, double duration_s, bool reversed) {
    MotionPiece piece;
    piece.end_s = duration_s;
    const double square = 3.0 * step_m_s2 / (duration_s * duration_s);
    piece.polynomial = {reversed ? step_m_s2 : 0.0, (reversed ? -4.0 : -2.0) * step_m_s2 / duration_s, square, 0.0};
    return piece;
}

}  // namespace

LeadIn with_lead_in(const BaseMotion& motion, double jerk_max_m_s3) {
    if (!(std::isfinite(jerk_max_m_s3) && jerk_max_m_s3 > 0.0))
        throw std::invalid_argument("lead-in: the jerk limit must be a number above 0");
    if (motion.start_s() < 0.0) throw std::invalid_argument("lead-in: the motion starts before t = 0");
    const double first_m_s2 = motion.at(motion.start_s()).acceleration_m_s2;
    const double last_m_s2 = motion.before(motion.end_s()).acceleration_m_s2;
    LeadIn result;
    // Steepest where the stretch meets the step: 4 a0 / T.
    if (std::abs(first_m_s2) > kStep_m_s2) result.lead_in_s = 4.0 * std::abs(first_m_s2) / jerk_max_m_s3;
    if (std::abs(last_m_s2) > kStep_m_s2) result.lead_out_s = 4.0 * std::abs(last_m_s2) / jerk_max_m_s3;
    result.motion = motion;
    if (result.lead_in_s > 0.0) {
        const BaseMotion lead_in({stretch(first_m_s2, result.lead_in_s, false)});
        result.motion = lead_in.shifted(motion.start_s()).then(motion);
        result.counter_acceleration_m_s2 = std::abs(first_m_s2) / 3.0;
    }
    if (result.lead_out_s > 0.0) {
        result.motion = result.motion.then(BaseMotion({stretch(last_m_s2, result.lead_out_s, true)}));
        result.counter_acceleration_m_s2 = std::max(result.counter_acceleration_m_s2, std::abs(last_m_s2) / 3.0);
    }
    const auto before = motion.extremes(), after = result.motion.extremes();
    result.velocity_peak_before_m_s = before.velocity_peak_m_s;
    result.velocity_peak_after_m_s = after.velocity_peak_m_s;
    result.travel_before_m = travel_m(before);
    result.travel_after_m = travel_m(after);
    return result;
}

}  // namespace topple::solver
