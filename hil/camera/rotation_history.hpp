// What a camera saw of blocks that rock, in the camera's own time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace topple::hil::camera {

/// How a block's rotation followed from markers on it.
struct BodyFit {
    std::vector<std::string> markers;   ///< that were used
    std::vector<std::string> left_out;  ///< that moved on the block, or were never seen with the others
    double residual_m = 0.0;            ///< rms distance of a marker from where the rigid block would have it
};

struct RotationHistory {
    std::string file;                               ///< for messages
    std::string format;                             ///< in words: "columns of rotations", "points", "OptiTrack Motive"
    std::vector<double> time_s;                     ///< of the camera's clock; increasing, perhaps uneven
    std::vector<std::vector<double>> rotation_rad;  ///< [block][frame], clockwise positive; NaN: not seen
    bool zero_is_rest = false;                      ///< rotations count from how the blocks rested, not from upright
    std::vector<double> sync;                       ///< level of a sync column per frame; empty: there is none
    std::vector<BodyFit> bodies;                    ///< one per block; empty where the file has rotations
    std::vector<std::string> remarks;               ///< for the operator

    std::size_t frames() const noexcept { return time_s.size(); }
};

}  // namespace topple::hil::camera
