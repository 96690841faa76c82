// A surface made of triangles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solver/solid.hpp"

namespace topple::hil::mesh {

using solver::SpacePoint;
using Triangle = std::array<std::uint32_t, 3>;  ///< indices of points, counter-clockwise seen from outside

struct TriangleMesh {
    std::vector<SpacePoint> points;  ///< in the unit of the file until it is scaled
    std::vector<Triangle> triangles;
};

inline constexpr std::size_t kTrianglesMax = 20'000'000;  ///< of one file; the memory for them is about 2 GiB

inline SpacePoint operator-(const SpacePoint& a, const SpacePoint& b) noexcept {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline double dot(const SpacePoint& a, const SpacePoint& b) noexcept {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline SpacePoint cross(const SpacePoint& a, const SpacePoint& b) noexcept {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Axis-parallel box around points.
struct Box {
    SpacePoint low{}, high{};

    double largest_extent() const noexcept;
    SpacePoint centre() const noexcept;
};
Box box_of(const std::vector<SpacePoint>& points) noexcept;  ///< all zero without points

}  // namespace topple::hil::mesh
