// The convex underside of an irregular body: the corners about which it turns, and the faces between them.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace topple::solver {

using ProfilePoint = std::array<double, 2>;                   ///< [x, z], m: x to the right, z up
inline constexpr std::size_t kFootCornersMax = 1025;          ///< of one foot
inline constexpr double kLyingDown_rad = 1.5707963267948966;  ///< pi/2: Foot::overturned_rad where nothing is said

/// Underside in body axes through the mass centre, in the pose in which the body stands on a level base (rotation 0).
/// n corners have n - 1 faces: face i joins corners i and i + 1.
struct Foot {
    std::vector<ProfilePoint>
        corners_m;               ///< from left to right, strictly convex; one face level, below the mass centre
    double inertia_kg_m2 = 0.0;  ///< about the mass centre
    /// The body counts as overturned once it has turned so far from rotation 0, to either side: above 0, at most pi/2.
    /// Faces that come down later are not part of the roll.
    double overturned_rad = kLyingDown_rad;
};

/// Faces of the roll: from `first` up to, not including, `end`.
struct FaceRange {
    std::size_t first = 0, end = 0;
    bool holds(std::size_t face) const noexcept { return face >= first && face < end; }
};

/// A foot as it was drawn, brought to the pose in which it stands.
struct StandingFoot {
    Foot foot;
    double turned_rad = 0.0;              ///< from the drawn pose, clockwise positive
    std::vector<std::size_t> left_out{};  ///< indices of the points that touch nothing: above the hull or on a face
};

/// What one face does for the body that stands on it.
struct FootFace {
    double slope_rad =
        0.0;                ///< rotation at which it lies flat on a level base, rising from left to right; 0: it stands
    double length_m = 0.0;  ///< between its corners
    double height_m = 0.0;  ///< of the mass centre over it
    bool can_rest = false;  ///< on a level base: the mass centre is over its inside
    double left_to_right = 0.0, right_to_left = 0.0;  ///< rate ratios of an impact on it, from the geometry
};

/// Lower convex hull of any points, from left to right; points on a face are left out. Indices into `points`.
std::vector<std::size_t> lower_hull(const std::vector<ProfilePoint>& points);

/// The foot of a profile drawn in any pose, about the mass centre: its lower hull, turned level onto the face on which
/// the body settles from that pose when it is let go gently. Balanced exactly on a corner it goes to the right. Throws
/// std::invalid_argument for fewer than 2 or more than kFootCornersMax corners, a mass centre that is not above the
/// foot, or one that rests on no face of it.
StandingFoot standing_foot(const std::vector<ProfilePoint>& points, double inertia_kg_m2);

/// Throws std::invalid_argument naming what is wrong and what is allowed.
void validate(const Foot& foot);

/// The face that is level at rotation 0, of a valid foot.
std::size_t standing_face(const Foot& foot) noexcept;

/// The faces that come down before the body has overturned, of a valid foot; the standing one is always among them.
FaceRange faces_of_roll(const Foot& foot) noexcept;

/// All faces from left to right, those beyond the roll too. `mass_kg`: of the body.
std::vector<FootFace> faces_of(const Foot& foot, double mass_kg);

}  // namespace topple::solver
