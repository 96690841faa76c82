// Which triangles meet along which edge.
#pragma once

#include <cstdint>
#include <vector>

#include "hil/mesh/triangle_mesh.hpp"

namespace topple::hil::mesh {

/// Half-edge 3 t + k runs from corner k of triangle t to the next one.
struct HalfEdges {
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;
    std::vector<std::uint32_t> twin;  ///< the other half-edge of the same edge; kNone: there is no single one
    std::vector<std::uint32_t> open;  ///< half-edges that are alone
    std::vector<std::uint32_t> crowded;  ///< one half-edge of each edge of more than two triangles
};

inline std::uint32_t from(const TriangleMesh& mesh, std::uint32_t half_edge) noexcept {
    return mesh.triangles[half_edge / 3][half_edge % 3];
}
inline std::uint32_t to(const TriangleMesh& mesh, std::uint32_t half_edge) noexcept {
    return mesh.triangles[half_edge / 3][(half_edge % 3 + 1) % 3];
}

HalfEdges half_edges_of(const TriangleMesh& mesh);

}  // namespace topple::hil::mesh
