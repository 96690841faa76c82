// The laboratory's blocks and the pieces of base motion that many tests are about.
#pragma once

#include <utility>
#include <vector>

#include "solver/motion/base_motion.hpp"
#include "solver/specimen.hpp"

namespace topple::test {

inline constexpr solver::Block kB3m{.045, .10125, .5444}, kB6m{.045, .2025, 1.0896}, kB6l{.06, .27, 2.5692};

/// Given from the bottom up.
inline solver::Specimen stack(std::vector<solver::Block> blocks) {
    solver::Specimen specimen;
    specimen.blocks = std::move(blocks);
    return specimen;
}

inline solver::Specimen b6l(double rotation_rad = 0.0) {
    solver::Specimen specimen = stack({kB6l});
    if (rotation_rad != 0.0) specimen.initial_rotation_rad = {rotation_rad};
    return specimen;
}

/// Base acceleration that is constant or grows evenly.
inline solver::MotionPiece piece(double start_s, double end_s, double acceleration_m_s2, double jerk_m_s3 = 0.0) {
    solver::MotionPiece result;
    result.start_s = start_s;
    result.end_s = end_s;
    result.polynomial = {acceleration_m_s2, jerk_m_s3, 0.0, 0.0};
    return result;
}

}  // namespace topple::test
