// The convex hull of points in space, with flat faces of any number of corners.
#pragma once

#include <span>
#include <vector>

#include "hil/mesh/triangle_mesh.hpp"

namespace topple::hil::mesh {

struct HullFace {
    std::vector<std::uint32_t> corners;  ///< of Hull::corners, counter-clockwise seen from outside
    SpacePoint normal{};                 ///< outwards, length 1
    double distance = 0.0;               ///< of the plane from the origin, along the normal
};

struct Hull {
    std::vector<SpacePoint> corners;
    std::vector<HullFace> faces;
};

/// By Qhull (Barber, Dobkin and Huhdanpaa 1996). Points that stand out from the faces of the others by less than
/// `tolerance` (> 0) are left out, so that a scanned plane is one face and not a thousand. Throws files::InputError if
/// the points are flatter than that.
Hull hull_of(std::span<const SpacePoint> points, double tolerance);

/// Every edge once, as a pair of corners, lower first.
std::vector<std::array<std::size_t, 2>> edges_of(const Hull& hull);

/// For every face and each of its edges, corner k to corner k + 1: the face on the other side; the face itself where
/// there is none (rounding).
std::vector<std::vector<std::size_t>> neighbours_of(const Hull& hull);

}  // namespace topple::hil::mesh
