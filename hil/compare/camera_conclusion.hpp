// A test whose rotations a camera measured: its clock, and how alike its curves are to the others there are.
#pragma once

#include <vector>

#include "hil/compare/filmed_rotation.hpp"
#include "hil/compare/history_likeness.hpp"
#include "hil/compare/measured.hpp"

namespace topple::hil::compare {

struct Conclusion;

/// What was in the camera's file, and what is known of its clock.
struct CameraInput {
    camera::RotationHistory history;
    RotationSetup setup;
};

/// Of one specimen, per block; empty where there is nothing to compare with.
struct CameraSpecimen {
    std::vector<HistoryLikeness> with_prediction;  ///< from the achieved motion
    std::vector<HistoryLikeness> with_sensor;
};

struct CameraConclusion {
    FilmedRotation filmed;
    std::vector<SpecimenMeasurement> by_sensor;  ///< per specimen; without blocks where the table has no sensor
    std::vector<CameraSpecimen> specimens;
};

/// Lays the camera's record onto the test. The conclusion is known up to its trigger. Throws std::invalid_argument as
/// film(), or if the motion did not begin.
CameraConclusion film_test(const Conclusion& conclusion, const run_log::RunData& run, const CameraInput& input);
/// Fills in `camera->specimens`, when the specimens are concluded.
void compare_with_camera(Conclusion& conclusion);

}  // namespace topple::hil::compare
