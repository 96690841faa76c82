// Edges of a surface that lead around a hole.
#pragma once

#include "hil/mesh/half_edges.hpp"

namespace topple::hil::mesh {

struct Hole {
    std::vector<std::uint32_t> points;  ///< around it, in the direction of the open half-edges
    SpacePoint centre{};                ///< mean of the points
    double width = 0.0;                 ///< largest extent along an axis
    double off_plane = 0.0;             ///< farthest point from the mean plane
    bool is_ring = true;                ///< false: its edge touches itself or is not closed
};

/// The holes of a surface whose triangles agree. Every open half-edge is in one of them.
std::vector<Hole> holes_of(const TriangleMesh& mesh, const HalfEdges& edges);

/// Closes it by a fan of triangles about its centre, which agree with the surface.
void cap(TriangleMesh& mesh, const Hole& hole);

}  // namespace topple::hil::mesh
