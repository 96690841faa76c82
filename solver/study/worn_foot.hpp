// A foot whose corners are worn round.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "solver/foot.hpp"

namespace topple::solver {

/// The arc of a worn corner is given by chords that turn by at most this much. Its ends, and with them the
/// accelerations that lift the body off a face, are exact; between them the point of contact lies up to half a chord,
/// 0.1 radius, from that of the arc, and the body up to 0.005 radius lower.
inline constexpr double kWearChord_rad = 0.2;

struct WornFoot {
    Foot foot;
    /// Per face: the one of the unworn foot that it is what is left of; empty: a chord of a worn corner.
    std::vector<std::optional<std::size_t>> face_before;
};

/// The foot with every corner worn to an arc of this radius, tangent to the faces beside it, and at both ends to the
/// vertical: the points that a disc of this radius reaches from inside, so that a face shorter than its arcs is gone.
/// The mass centre and the inertia stay. `radius_m` >= 0; 0 changes nothing. Throws std::invalid_argument if no part of
/// the level face is left on both sides of the mass centre.
WornFoot worn(const Foot& foot, double radius_m);

}  // namespace topple::solver
