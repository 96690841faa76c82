// How a single body stands there: turned about the vertical, off its place over the corners, worn.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "solver/specimen.hpp"

namespace topple::solver {

/// Farthest yaw of a body of which only the plane section is known.
inline constexpr double kYawMax_rad = 0.7;

/// Faces whose ratios can differ on their own: those of a foot, 1 of any other single body, 0 of a stack.
std::size_t face_count(const Specimen& specimen) noexcept;

/// Which face of the described body each face is; empty: a chord of a worn corner. Of a body that is not a foot one.
using FaceOrigin = std::vector<std::optional<std::size_t>>;

/// The homogeneous box that a block with a depth is; the mass centre lies `centre_offset_y_m` towards +y from the
/// middle of the depth, and the moments stay those of the box about its middle.
Solid box_of(const Block& block, double depth_m, double centre_offset_y_m = 0.0);

/// Does its restitution have a list with one entry per face of a foot? The section of a solid at another yaw has
/// others.
bool lists_faces(const Specimen& specimen) noexcept;

/// Turns a single body about the vertical. With a solid its section is taken anew; a block with a solid is box_of() its
/// sizes and the depth of the solid, and becomes a body with two pivots. Without a solid every corner lies
/// 1 / cos(yaw) as far from the mass centre, as in the section of an infinitely deep prism, which also is the
/// acceleration that lifts it about that edge: a component a cos(yaw) works across it. Height and, but for a block,
/// inertia stay. Throws std::invalid_argument for a stack, beyond kYawMax_rad without a solid, where the section cannot
/// stand, and for a foot of a solid that lists_faces().
void turn_about_vertical(Specimen& specimen, double yaw_rad);

/// Moves the corners to the right under the mass centre. A block becomes a body with two pivots. Throws for a stack,
/// and if the mass centre is no longer over the inside of what it stands on.
void move_corners(Specimen& specimen, double right_m);

/// Wears the corners (worn_foot.hpp). A block and a body with two pivots become a foot, of the mean height of its two
/// sides; ratios and material factors stay with what is left of their faces, and the chords keep the ratio of their
/// geometry. Throws for a stack, for a law of restitution that no foot has, and as worn().
FaceOrigin wear_corners(Specimen& specimen, double radius_m);

/// Faces of the section as it is now, counted from the standing face as in the one described; farther ones are chords.
FaceOrigin aligned_faces(const Specimen& described, const Specimen& now);

}  // namespace topple::solver
