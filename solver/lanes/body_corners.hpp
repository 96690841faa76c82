// The corners and faces of a lane's body, whatever their number.
#pragma once

#include "solver/lanes/lane_state.hpp"

namespace topple::solver {
namespace {

inline const LaneSide* corners_of(const LaneBody& body) { return body.corners != nullptr ? body.corners : body.sides; }

/// Index of the side to which the body leans on a corner.
inline int side_of(const LaneBody& body, int corner) { return corner <= body.standing_face ? 0 : 1; }

/// A corner as seen from the face at one of its ends.
struct FaceCorner {
    double sine, cosine;  ///< of the way from the face to where the mass centre is above the corner; < 0: past it
    double stiffness_ratio, restitution;  ///< the latter when the body leaves the corner through this face
    double reach_rad;                     ///< to the corner's other end
    bool is_low;                          ///< the face is its lower end
};

/// `place`: 0 the corner left of the face, 1 the one right of it.
inline FaceCorner face_corner(const LaneBody& body, int face, int place) {
    const int index = face + place;
    const LaneSide& of = corners_of(body)[index];
    const bool is_low = side_of(body, index) == place;
    const bool is_last = index == 0 || index == body.corner_count - 1;
    const double reach_rad = is_last ? 1e300 : of.high_rad - of.low_rad;
    if (is_low) return {of.sine, of.cosine, of.stiffness_ratio, of.restitution, reach_rad, true};
    return {of.high_sine, of.high_cosine, of.stiffness_ratio, of.restitution_high, reach_rad, false};
}

}  // namespace
}  // namespace topple::solver
