// Meshes of bodies whose properties are known, and their files.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "hil/mesh/triangle_mesh.hpp"

namespace topple::shapes {

using hil::mesh::SpacePoint;
using hil::mesh::TriangleMesh;

inline void add_polygon(TriangleMesh& mesh, const std::vector<std::uint32_t>& corners) {
    for (std::size_t i = 2; i < corners.size(); ++i) mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

/// Outline in the x-z plane, clockwise seen along +y (towards the viewer's back), from y = 0 to y = depth. The
/// triangles of the two ends are a fan about the first point, right for outlines that are star-shaped about it.
inline TriangleMesh prism(const std::vector<std::array<double, 2>>& outline, double depth) {
    TriangleMesh mesh;
    const auto n = static_cast<std::uint32_t>(outline.size());
    for (const double y : {0.0, depth})
        for (const auto& [x, z] : outline) mesh.points.push_back({x, y, z});
    std::vector<std::uint32_t> front, back;
    for (std::uint32_t i = 0; i < n; ++i) {
        front.push_back(i);
        back.push_back(2 * n - 1 - i);
        const std::uint32_t next = (i + 1) % n;
        add_polygon(mesh, {i, i + n, next + n, next});
    }
    add_polygon(mesh, front);
    add_polygon(mesh, back);
    return mesh;
}

/// From the origin to (a, b, c).
inline TriangleMesh box(double a, double b, double c) { return prism({{0, 0}, {a, 0}, {a, c}, {0, c}}, b); }

inline void append(TriangleMesh& mesh, const TriangleMesh& other, const SpacePoint& shift = {}, bool inverted = false) {
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    for (const SpacePoint& p : other.points)
        mesh.points.push_back({p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]});
    for (const auto& t : other.triangles)
        mesh.triangles.push_back(inverted ? hil::mesh::Triangle{t[0] + first, t[2] + first, t[1] + first}
                                          : hil::mesh::Triangle{t[0] + first, t[1] + first, t[2] + first});
}

/// About the axis (1, 2, 3) / sqrt(14).
inline TriangleMesh turned(TriangleMesh mesh, double angle_rad) {
    const SpacePoint k{1 / std::sqrt(14.0), 2 / std::sqrt(14.0), 3 / std::sqrt(14.0)};
    for (SpacePoint& p : mesh.points) {
        const SpacePoint across = hil::mesh::cross(k, p);
        const double along = hil::mesh::dot(k, p) * (1 - std::cos(angle_rad));
        for (std::size_t i = 0; i < 3; ++i)
            p[i] = p[i] * std::cos(angle_rad) + across[i] * std::sin(angle_rad) + k[i] * along;
    }
    return mesh;
}

/// A grid over the sphere, 4 n^2 - 4 n triangles, each point moved to the radius that is given for its direction.
inline TriangleMesh star(std::uint32_t n, const std::function<double(const SpacePoint&)>& radius) {
    TriangleMesh mesh;
    const auto add = [&](double polar, double azimuth) {
        const SpacePoint d{std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth), std::cos(polar)};
        const double r = radius(d);
        mesh.points.push_back({r * d[0], r * d[1], r * d[2]});
    };
    add(0.0, 0.0);
    for (std::uint32_t i = 1; i < n; ++i)
        for (std::uint32_t k = 0; k < 2 * n; ++k) add(std::numbers::pi * i / n, std::numbers::pi * k / n);
    add(std::numbers::pi, 0.0);
    const auto at = [&](std::uint32_t i, std::uint32_t k) { return 1 + (i - 1) * 2 * n + k % (2 * n); };
    const auto last = static_cast<std::uint32_t>(mesh.points.size()) - 1;
    for (std::uint32_t k = 0; k < 2 * n; ++k) {
        mesh.triangles.push_back({0, at(1, k), at(1, k + 1)});
        mesh.triangles.push_back({last, at(n - 1, k + 1), at(n - 1, k)});
        for (std::uint32_t i = 1; i + 1 < n; ++i) add_polygon(mesh, {at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)});
    }
    return mesh;
}

/// A stone of about 0.3 m: a lying ellipsoid with lumps.
inline double stone_radius(const SpacePoint& d) {
    const double ellipsoid = 1.0 / std::sqrt(std::pow(d[0] / 0.14, 2) + std::pow(d[1] / 0.11, 2) + std::pow(d[2] / 0.2, 2));
    return ellipsoid * (1.0 + 0.06 * std::sin(5 * d[0] + 1) * std::sin(7 * d[1] + 2) + 0.02 * std::sin(31 * d[2] + 19 * d[0]));
}

inline std::string obj_text(const TriangleMesh& mesh) {
    std::string text = "# made by a test\n";
    for (const SpacePoint& p : mesh.points) text += fmt::format("v {} {} {}\n", p[0], p[1], p[2]);
    for (const auto& t : mesh.triangles) text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    return text;
}

}  // namespace topple::shapes
