// Rocking of one body under many waves, several at a time: interface of the vectorised kernel.
// Plain structs only: the kernel is compiled once per instruction set and must not instantiate library templates.
// Dimensionless: time p t, accelerations over g, rotation rates over p.
#pragma once

#include <stddef.h>

#include "solver/lanes/shape_piece.hpp"

namespace topple::solver {

/// One side of the body; 0 = left (negative rotation), 1 = right.
struct LaneSide {
    double slenderness_rad = 0.0;
    double sine = 0.0, cosine = 0.0;  ///< of the slenderness
    double stiffness_ratio = 1.0;     ///< (p of this side / p of the axes)^2
    double restitution = 1.0;         ///< rate ratio when the body leaves this side at an impact; <= 0: it sticks
};

/// One body on its seat.
struct LaneBody {
    LaneSide sides[2];
    double seat_cosine = 1.0, seat_sine = 0.0;  ///< of the slope of the seat, clockwise positive
    double initial_rotation_rad = 0.0;          ///< released with zero rate
};

/// What all points have in common.
struct LaneProblem {
    const LaneBody* bodies = nullptr;  ///< the points say which
    const ShapePiece* pieces = nullptr;
    size_t piece_count = 0;
    double amplitude_unit = 1.0;  ///< a0/g at amplitude ratio 1
};

struct LanePoint {
    double frequency_ratio, amplitude_ratio;
    size_t body = 0;  ///< index into LaneProblem::bodies
};

enum class LaneEnd : unsigned char { rest, rocking, overturning, unsolved };

struct LaneOutcome {
    LaneEnd end;
    signed char side;  ///< -1 left, +1 right, if overturning
    unsigned impacts;  ///< since the last uplift from rest
    unsigned steps;
};

using LaneSolver = void (*)(const LaneProblem&, const LanePoint*, LaneOutcome*, size_t count);

/// The fastest variant that this processor can run. All variants do the same arithmetic but for the rounding of
/// fused multiply-adds.
LaneSolver lane_solver() noexcept;

void solve_lanes_baseline(const LaneProblem&, const LanePoint*, LaneOutcome*, size_t count);
#ifdef TOPPLE_LANES_AVX2
void solve_lanes_avx2(const LaneProblem&, const LanePoint*, LaneOutcome*, size_t count);
#endif

}  // namespace topple::solver
