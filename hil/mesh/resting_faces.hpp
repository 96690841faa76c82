// The faces of a hull on which the body can stand on a level base, and the one on which it settles.
#pragma once

#include <optional>
#include <vector>

#include "hil/mesh/hull.hpp"

namespace topple::hil::mesh {

/// A face of the hull over whose inside the mass centre is.
struct RestingFace {
    std::size_t face = 0;  ///< of Hull::faces
    double area_m2 = 0.0;
    double height_m = 0.0;       ///< of the mass centre over it
    double tilt_rad = 0.0;       ///< by how much the body is turned from the pose of its file to stand on it, 0 .. pi
    double stability_rad = 0.0;  ///< least tilt over any of its edges at which the body falls off it
};

/// Sorted by their tilt from the pose of the file, the smallest first. `centre`: of mass, within the hull.
std::vector<RestingFace> resting_faces(const Hull& hull, const SpacePoint& centre);

/// The face on which the body comes to rest when it is let go gently in the pose of the hull (z up): it rolls from the
/// face under its mass centre over the edge beyond which the mass centre lies, on and on. Empty if it is none of them.
std::optional<std::size_t> settled_face(const Hull& hull, const SpacePoint& centre,
                                        const std::vector<RestingFace>& resting);

}  // namespace topple::hil::mesh
