#include "hil/experiment/start_marker.hpp"

#include <algorithm>

namespace topple::hil::experiment {

StartMarker start_marker(const Experiment& experiment) {
    // As for positioning: 0.2 of the threshold, at most 0.5 m/s2 and 0.05 m/s.
    constexpr double kThresholdShare = 0.2, kAccelerationMax_m_s2 = 0.5, kVelocityMax_m_s = 0.05;
    const double acceleration_m_s2 =
        std::min(kThresholdShare * uplift_threshold_m_s2(experiment), kAccelerationMax_m_s2);
    StartMarker start;
    start.marker = solver::rest_to_rest(kMarker_m, kVelocityMax_m_s, acceleration_m_s2)
                       .then(solver::rest_to_rest(-kMarker_m, kVelocityMax_m_s, acceleration_m_s2));
    start.lead_s = start.marker.end_s() + kMarkerRest_s;
    return start;
}

solver::BaseMotion with_marker(const StartMarker& marker, const solver::BaseMotion& motion) {
    return marker.marker.then(solver::constant_acceleration(0.0, kMarkerRest_s)).then(motion);
}

}  // namespace topple::hil::experiment
