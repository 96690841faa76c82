// Where an irregular body can come to rest, and what takes it from one face of its foot to the next.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "solver/specimen.hpp"

namespace topple::solver {

/// From rest on one face over the hill on one side, the seat at rest. Derived in docs/irregular_bodies.md#equations.
struct WayOver {
    /// Rotation on top of the hill: the mass centre over a corner. Where the body counts as overturned before that:
    /// Foot::overturned_rad, and `is_at_limit`.
    double balance_rad = 0.0;
    bool is_at_limit = false;  ///< no hill before the body counts as overturned: left alone there it would come back
    double energy_j = 0.0;     ///< work that lifts it to balance_rad
    /// Magnitude of the rotation rate with which it must leave its face to get there by itself, with what it loses on
    /// the faces between; empty: an impact on the way stops it.
    std::optional<double> rate_rad_s{};
    std::optional<std::size_t> face{};  ///< the next on which it can rest; empty: none, it overturns
};

/// A face on which the body can rest on its seat.
struct RestingPlace {
    std::size_t face = 0;          ///< from the left
    double rotation_rad = 0.0;     ///< of the body at rest there; 0: as it stands
    double uplift_left_m_s2 = 0;   ///< base acceleration towards +x that lifts it about the left corner of the face
    double uplift_right_m_s2 = 0;  ///< towards -x, about the right corner
    WayOver to_left, to_right;
};

/// All of the roll (faces_of_roll()) from left to right, on the specimen's seat (initial_tilt_rad); the standing face
/// is one of them unless the seat is too steep. Empty for a specimen without a foot. Linear in the number of faces for
/// each.
std::vector<RestingPlace> resting_places(const Specimen& specimen, double gravity_m_s2 = kStandardGravity_m_s2);

/// Rate ratios of an impact on each face of a foot, {left to right, right to left}, as the restitution says; empty for
/// a specimen without a foot.
std::vector<std::array<double, 2>> face_ratios(const Specimen& specimen);

/// Rotations to the left (negative) and to the right from which a body comes back to no face of its foot, on a level
/// seat: it falls until it counts as overturned. A specimen without a foot: the slenderness of its lowest block, or of
/// its sides.
std::array<double, 2> no_return_rad(const Specimen& specimen);

}  // namespace topple::solver
