// Which way triangles and shells point, and the shells themselves.
#pragma once

#include <optional>

#include "hil/mesh/half_edges.hpp"

namespace topple::hil::mesh {

/// Connected surfaces, each with its triangles pointing the same way.
struct Shells {
    std::size_t count = 0;
    std::vector<std::uint32_t> of_triangle;   ///< 0 .. count - 1
    std::size_t turned = 0;                   ///< triangles that pointed the other way than most of their shell
    std::optional<std::uint32_t> one_sided;   ///< a triangle of a surface that cannot be oriented (a Moebius band)
};

/// Finds the shells and turns single triangles in place; `edges` is out of date afterwards if any was turned.
Shells orient(TriangleMesh& mesh, const HalfEdges& edges);

/// Turns every triangle of these shells.
void turn_shells(TriangleMesh& mesh, const Shells& shells, const std::vector<bool>& turn);

/// Six times the volume that each shell encloses, positive if it points outwards.
std::vector<double> volumes_times_six(const TriangleMesh& mesh, const Shells& shells);

/// How many other shells are around each shell, of closed shells that do not cut each other.
std::vector<std::size_t> shells_around(const TriangleMesh& mesh, const Shells& shells);

}  // namespace topple::hil::mesh
