// A base motion without units: acceleration over its reference amplitude, against phase x = omega t.
#pragma once

#include <vector>

#include "solver/lanes/shape_piece.hpp"
#include "solver/motion/base_motion.hpp"

namespace topple::solver {

/// The pieces with the storage that they point into. Not copyable for that reason.
class WaveShape {
  public:
    WaveShape(const BaseMotion& motion, double angular_frequency_rad_s, double amplitude_m_s2);
    WaveShape(const WaveShape&) = delete;
    WaveShape& operator=(const WaveShape&) = delete;
    const std::vector<ShapePiece>& pieces() const noexcept { return pieces_; }

  private:
    std::vector<ShapePiece> pieces_;
    std::vector<ShapeHarmonic> harmonics_;
};

}  // namespace topple::solver
