// Values, derivatives and exact time integrals of one piece of base acceleration.
#pragma once

#include "solver/motion/base_motion.hpp"

namespace topple::solver {

/// What a piece does up to `tau_s` after its start when it starts from rest at zero.
struct PieceMotion {
    double displacement_m = 0.0;  ///< double integral of the acceleration over [0, tau]
    double velocity_m_s = 0.0;    ///< single integral
    double acceleration_m_s2 = 0.0;
    double jerk_m_s3 = 0.0;
    double snap_m_s4 = 0.0;
};

/// Closed form; the integrals keep full relative precision for small w tau (power series below |w tau| = 1).
PieceMotion evaluate(const MotionPiece& piece, double tau_s) noexcept;

/// The same acceleration written about the origin start_s + offset_s, valid over [start_s, end_s] of the result.
MotionPiece moved_origin(const MotionPiece& piece, double offset_s, double new_start_s, double new_end_s);

}  // namespace topple::solver
