// Rotations of blocks from a camera's file, whichever program wrote it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hil/camera/rotation_history.hpp"

namespace topple::hil::camera {

/// What a file may leave open; empty: as the file says.
struct ReadOptions {
    std::optional<double> rate_hz;  ///< of a file without time, or with numbers of frames only
    std::optional<char> decimal;    ///< '.' or ','
    std::string unit;               ///< of columns that state none: m, cm, mm, um; rad, mrad, deg
    std::string plane;              ///< "RIGHT,UP", e.g. "x,z" or "-x,y": the axes as the viewer sees them
    std::optional<int> sign;        ///< 1 or -1, applied to every rotation
    std::vector<std::vector<std::string>> bodies;  ///< per block from 0: names of its points, or of its rigid body
};

inline constexpr std::size_t kFramesLeast = 20;

/// Told apart by content: an export of OptiTrack Motive; a table with columns of points (one row per frame, or one per
/// frame and point, as GOM's software writes them); a table with columns rotation_<i>_<unit>. `blocks`: how many blocks
/// the test has. Throws InputError naming file, line, column, what is there, and which option answers the question: a
/// comma that may be a decimal sign, a unit that is not stated, points of several blocks, an unknown plane, fewer than
/// two points of a block, fewer than 20 frames, time that runs backwards, a rate outside of 10 Hz to 20 kHz.
RotationHistory read_rotation(const std::filesystem::path& file, const ReadOptions& options, std::size_t blocks);

/// Throws InputError for a plane that is none of "x,y", "-x,z", ...
void require_plane(const std::string& plane);

}  // namespace topple::hil::camera
