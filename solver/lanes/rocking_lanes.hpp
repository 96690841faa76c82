// Rocking of one body under many waves, several at a time: interface of the vectorised kernel.
// Plain structs only: the kernel is compiled once per instruction set and must not instantiate library templates.
// Dimensionless: time p t, accelerations over g, rotation rates over p.
#pragma once

#include <stddef.h>

#include "solver/lanes/shape_piece.hpp"

namespace topple::solver {

/// A corner about which the body turns, as seen in |theta|. Of a body with one face these are its two sides.
struct LaneSide {
    double slenderness_rad = 0.0;     ///< rotation at which the mass centre is above the corner
    double sine = 0.0, cosine = 0.0;  ///< of the slenderness less `low_rad`
    double stiffness_ratio = 1.0;     ///< (p of this corner / p of the axes)^2
    double restitution = 1.0;         ///< rate ratio when the body leaves it through its lower end; <= 0: it sticks
    // ---- where the body turns about it: of a body with one face from 0 to pi/2,
    // of a foot to where it has overturned ----
    double low_rad = 0.0, high_rad = 1.57079632679489661923;
    double high_sine = 0.0, high_cosine = 0.0;  ///< of `high_rad` less the slenderness, where another face ends it
    double radius_m = 1.0;                      ///< to the mass centre
    double restitution_high = 1.0;              ///< as `restitution`, through its upper end
};

/// One body on its seat.
struct LaneBody {
    LaneSide sides[2];  ///< corners of the face on which it stands; 0 = left (negative rotation), 1 = right
    double seat_cosine = 1.0, seat_sine = 0.0;  ///< of the slope of the seat, clockwise positive
    double initial_rotation_rad = 0.0;          ///< released with zero rate
    // ---- of a body with more than one face; the record lanes only ----
    const LaneSide* corners = nullptr;  ///< all from left to right; null: `sides` are all. Face i is right of corner i
    int corner_count = 2, standing_face = 0;
    int first_face = 0;      ///< number of the face right of corner 0: those before it are not part of the roll
    bool is_passive = true;  ///< no impact adds energy (a stated ratio may)
};

enum class LaneStand : unsigned char { rests, rocks, fallen, unsolved };

/// One body at one instant: where a lane goes on from, and what it leaves behind.
struct LaneMoment {
    LaneStand stand = LaneStand::rests;
    unsigned char side = 0;     ///< of LaneBody::sides; where it rocks or has fallen
    bool lifted = false;        ///< ever
    bool fresh = false;         ///< has just left its seat: its rotation of 0 is no impact
    double rotation_rad = 0.0;  ///< absolute value, where it rocks
    double rate = 0.0;          ///< of it
    double since = 0.0;         ///< when it fell or came to rest
    unsigned impacts = 0;       ///< since the last uplift from rest
};

/// What all points have in common.
struct LaneProblem {
    const LaneBody* bodies = nullptr;  ///< the points say which
    const ShapePiece* pieces = nullptr;
    size_t piece_count = 0;
    double amplitude_unit = 1.0;  ///< a0/g at amplitude ratio 1

    // ---- an ensemble that is carried along; left out for whole waves ----
    const LaneMoment* from = nullptr;  ///< where each body is at the start; null: as LaneBody says
    LaneMoment* to = nullptr;  ///< where each body is at the end of the pieces, and no outcome; null: the outcome
    double start = 0.0;        ///< phase in the pieces at which the bodies start
    double origin = 0.0;       ///< time of the pieces' start
    bool tells_times = false;  ///< LaneOutcome::time is wanted
};

struct LanePoint {
    double frequency_ratio, amplitude_ratio;
    size_t body = 0;  ///< index into LaneProblem::bodies
};

/// `under_way`: the pieces have ended and LaneProblem::to knows where the body is.
enum class LaneEnd : unsigned char { rest, rocking, overturning, unsolved, under_way };

struct LaneOutcome {
    LaneEnd end;
    signed char side;  ///< -1 left, +1 right, if overturning
    unsigned impacts;  ///< since the last uplift from rest
    unsigned steps;
    double time;  ///< of the fall to pi/2, or since when it rests; only if LaneProblem::tells_times
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
