// Is a mesh the closed surface of a body? What can be mended without guessing is mended and said.
#pragma once

#include <string>
#include <vector>

#include "hil/mesh/triangle_mesh.hpp"

namespace topple::hil::mesh {

/// A closed surface: every edge belongs to two triangles that run along it in opposite directions; outer shells point
/// outwards, cavities inwards.
struct CheckedMesh {
    TriangleMesh mesh;                ///< unit of the file
    std::size_t shells = 0;           ///< connected surfaces
    std::vector<std::string> mended;  ///< one sentence for each kind of repair; coordinates in the unit of the file
};

inline constexpr double kWeldShare = 1e-6;     ///< of the largest extent: open points nearer than this are one
inline constexpr double kCapExtentShare = 0.1;  ///< of the largest extent: the widest hole that is closed
inline constexpr double kCapPlaneShare = 0.02;  ///< of the hole's width: the farthest that its edge leaves a plane
inline constexpr std::size_t kShellsMax = 64;

/// Welds points at the same place, leaves out triangles without area, turns triangles that point the other way than
/// their neighbours and shells that are inside out, and closes small plane holes. Throws files::InputError (without the
/// name of the file) that says what is wrong, how often and where: larger holes, edges of more than two triangles,
/// surfaces with one side, too many shells, no volume. Surfaces that cut themselves or each other are not noticed.
CheckedMesh check_mesh(TriangleMesh mesh);

}  // namespace topple::hil::mesh
