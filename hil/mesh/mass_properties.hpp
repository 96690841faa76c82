// Volume, mass centre and inertia of the body within a closed surface.
#pragma once

#include <array>

#include "hil/mesh/triangle_mesh.hpp"

namespace topple::hil::mesh {

/// Of a homogeneous body of density 1, in the axes of the mesh.
struct MassProperties {
    double volume = 0.0;
    SpacePoint centre{};
    /// About the centre: {Ixx, Iyy, Izz, Ixy, Ixz, Iyz}, Ixy = integral of x y (as in solver::Solid).
    std::array<double, 6> inertia{};
};

/// By the divergence theorem, one tetrahedron per triangle, summed with compensation about the middle of the mesh:
/// docs/mesh.md#mass-properties. The surface must be closed and point outwards; a cavity points into itself.
MassProperties mass_properties(const TriangleMesh& mesh) noexcept;

}  // namespace topple::hil::mesh
