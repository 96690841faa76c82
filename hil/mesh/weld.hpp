// Points at the same place become one.
#pragma once

#include <span>

#include "hil/mesh/triangle_mesh.hpp"

namespace topple::hil::mesh {

/// Points with equal coordinates; points that no triangle uses are left out. Returns how many were merged.
std::size_t weld_equal(TriangleMesh& mesh);

/// Of these points (indices, each once) those within `distance` of each other. Returns how many were merged.
std::size_t weld_near(TriangleMesh& mesh, std::span<const std::uint32_t> points, double distance);

/// Leaves out triangles that name a point twice. Returns how many.
std::size_t leave_out_degenerate(TriangleMesh& mesh);

}  // namespace topple::hil::mesh
