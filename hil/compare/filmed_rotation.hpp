// What a camera saw of blocks that rock, laid into the time of the test.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hil/camera/rotation_history.hpp"
#include "hil/compare/camera_clock.hpp"
#include "hil/compare/trigger.hpp"

namespace topple::hil::compare {

/// What the run itself knows; the rotations are on its grid.
struct FilmedTest {
    TriggerEdges trigger;
    double motion_end_s = 0.0;
    std::vector<double> initial_rotation_rad;  ///< per block: what a camera's zero at rest means
    std::optional<ClockReference> sensor;      ///< of the table's own rotation sensors
    std::optional<ClockReference> prediction;  ///< from the achieved motion
};

struct FilmedRotation {
    std::string file, format;
    std::vector<double> time_s;                     ///< of the test
    std::vector<std::vector<double>> rotation_rad;  ///< [block][frame]; NaN: not seen
    double frame_s = 0.0;                           ///< median distance of the frames
    ClockLine line;
    std::string how;              ///< the clock was found, in words
    double offset_error_s = 0.0;  ///< of the clock: bounds from edges, standard errors from a fit
    double rate_error = 0.0;
    bool is_fitted = false;            ///< to what the blocks did: their times are no independent evidence
    std::string compared_with;         ///< "sensor", "prediction"; empty: neither moves enough
    std::optional<double> lag_s;       ///< by which the camera is later than that, beyond the clock found
    std::optional<double> residual_s;  ///< rms of the lags of eight parts of the record
    std::optional<double> correlation, gain;
    std::vector<camera::BodyFit> bodies;
    std::vector<std::string> remarks;  ///< of the file's reader, and warnings
};

/// Throws std::invalid_argument naming the file, what is wrong and what to do: no way to find the clock, edges that the
/// log does not have or that differ by more than 1 %, no frame during the motion, rotations that are nowhere in the
/// record, or a reversed sign.
FilmedRotation film(const camera::RotationHistory& history, const RotationSetup& setup, const FilmedTest& test);

/// Camera times of the first rise and the fall after it of a level, half way between its extremes, in the middle of two
/// frames. Fewer if there are none.
std::vector<double> edges_of(const std::vector<double>& time_s, const std::vector<double>& level);

}  // namespace topple::hil::compare
