// What the vectorised kernel keeps of its lanes: numbers in vectors, books in scalars, one step's Taylor
// series.
#pragma once

#include <stddef.h>

#include "solver/lanes/lane_vector.hpp"
#include "solver/lanes/rocking_lanes.hpp"

namespace topple::solver {
namespace {

inline constexpr int kOrder = 16;            // a power of two: the step needs a 16th root
inline constexpr double kTolerance = 1e-12;  // of a rate per step; amplified by less than 1e4 over a map's waves
inline constexpr double kHalfPi = 1.57079632679489661923;
inline constexpr double kRateFloor = 1e-13;    // slower than this after an impact: at rest (rounding)
inline constexpr unsigned kStepsMax = 200000;  // of one point; then the scalar solver takes over

/// The lanes' state, in memory between steps.
struct LaneState {
    LaneArray rotation, rate, sine, cosine;  // |theta|, its rate, sin u, cos u
    LaneArray base, base_slope;              // a, a'
    LaneArray frequency_squared;             // of a, in this piece and in p t
    LaneArray push;                          // -s k_s: how a acts
    LaneArray gravity;                       // k_s cos(seat)
    LaneArray seat_sine;
    LaneArray time_left;                   // to the end of the piece
    LaneArray rate_slope_kept;             // 0 for the step from an uplift by crossing, where u'' = 0 exactly
    LaneArray escape_push, escape_energy;  // worst case of the rest of the wave: see escapes()
};

/// What only scalar code needs of a lane.
struct LaneBook {
    const LaneBody* body = nullptr;
    size_t point = 0;
    size_t piece = 0;
    double frequency_ratio = 0.0, amplitude = 0.0;  // a0/g
    double pieces_before = 0.0;                     // their duration together
    double piece_time = 0.0;
    double since = 0.0;   // when it fell or came to rest
    int side = 0;         // index: 0 left, 1 right
    bool fresh = false;   // has just left the seat: rotation = 0 is not an impact
    bool lifted = false;  // ever
    bool busy = false;
    unsigned impacts = 0, steps = 0;
};

/// Taylor coefficients of one step, all lanes.
struct StepSeries {
    LaneArray rate[kOrder + 1], sine[kOrder + 1], cosine[kOrder + 1], base[kOrder + 1], slope[kOrder + 1];
    LaneArray rotation[kOrder + 2];
    LaneArray acceleration[kOrder];  // only of a lane that is searched for events
};

inline constexpr int sign_of(int side) { return side == 0 ? -1 : 1; }

}  // namespace
}  // namespace topple::solver
