// What a camera saw of the blocks in a basin, laid into the time and the frame of the test.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hil/compare/achieved_motion.hpp"
#include "solver/assembly/assembly.hpp"

namespace topple::hil::compare {

/// Blocks may seem to overlap each other or a wall by this share of the shortest block: a camera's noise and the
/// blocks' uncertain lengths. More is a mistake in the file.
inline constexpr double kSeemingOverlap_ratio = 0.1;

/// A camera's file as it was read; times are the camera's.
struct CameraPositions {
    std::string file;                             ///< for messages
    std::vector<double> time_s;                   ///< increasing
    std::vector<std::vector<double>> position_m;  ///< [block][frame], of the centres; every frame has every block
    std::vector<double> basin_m;                  ///< of the left wall, in the same frame; empty: not seen
    std::vector<std::size_t> line_numbers;        ///< of each frame
};

/// The camera's clock and frame.
struct CameraSetup {
    double start_s = 0.0;  ///< camera time of the first setpoint; ignored with `sync_s`
    /// Camera times at which the table's trigger output rose and fell: two edges give offset and rate.
    std::optional<std::vector<double>> sync_s;
    bool in_basin = false;  ///< positions are from the left wall, seen by a camera that moves with it
};

/// Frames in the test's time and the basin's frame.
struct BlockPositions {
    std::vector<double> time_s;                   ///< from the first setpoint of the motion
    std::vector<std::vector<double>> position_m;  ///< [block][frame], from the left wall
    double frame_s = 0.0;                         ///< median distance of the frames
    double noise_m = 0.0;                         ///< of one reading, standard deviation
    std::string noise_from;                       ///< "blocks at rest before the motion", "second differences"
    std::string clock;                            ///< how the camera's clock was laid onto the table's, in words
    std::optional<double> basin_residual_m;       ///< rms between the wall as seen and the platen as measured
    std::vector<std::string> remarks;
};

/// Throws std::invalid_argument naming file, line, value and what is allowed: another number of blocks, fewer than 20
/// frames, a rate outside of 10 Hz to 20 kHz, frames more than 10 periods apart, no frame during the motion, a block
/// beyond a wall, blocks that overlap, sync edges that differ from the table's by more than 1 %. `edges_s`: of the
/// table's trigger, rise and fall; empty if it has none.
BlockPositions positions_in_basin(const CameraPositions& seen, const CameraSetup& setup,
                                  const solver::Assembly& assembly, const AchievedMotion& motion, double motion_end_s,
                                  const std::vector<double>& edges_s);

}  // namespace topple::hil::compare
