// A small move before an exported motion, by which its start is found again in what other software recorded.
#pragma once

#include "hil/experiment/experiment.hpp"

namespace topple::hil::experiment {

/// Out and back by kMarker_m along +x, below a fifth of every specimen's uplift threshold; then rest.
struct StartMarker {
    solver::BaseMotion marker;  ///< from t = 0, from rest to rest
    double lead_s = 0.0;        ///< from its start to that of the motion it marks
};

inline constexpr double kMarker_m = 0.002;
inline constexpr double kMarkerRest_s = 1.0;  ///< between marker and motion

/// The same for the same specimens, so that export and import agree. Specimens that lift at nothing have none: the
/// caller has refused them (plan_motion does).
StartMarker start_marker(const Experiment& experiment);

/// Marker, rest and `motion` in one.
solver::BaseMotion with_marker(const StartMarker& marker, const solver::BaseMotion& motion);

}  // namespace topple::hil::experiment
