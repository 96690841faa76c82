#include "hil/mesh/orientation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace topple::hil::mesh {
namespace {

constexpr std::uint32_t kNotYet = 0xFFFF'FFFF;

/// All triangles that hang together with `first`, told whether each must be turned to point as it does.
void flood(const TriangleMesh& mesh, const HalfEdges& edges, std::uint32_t first, Shells& shells,
           std::vector<std::uint8_t>& turn, std::vector<std::uint32_t>& members) {
    const auto shell = static_cast<std::uint32_t>(shells.count);
    members.assign(1, first);
    shells.of_triangle[first] = shell;
    for (std::size_t next = 0; next < members.size(); ++next) {
        const std::uint32_t triangle = members[next];
        for (std::uint32_t h = 3 * triangle; h < 3 * triangle + 3; ++h) {
            const std::uint32_t twin = edges.twin[h];
            if (twin == HalfEdges::kNone) continue;
            // Neighbours that agree run along their edge in opposite directions.
            const bool agree = from(mesh, h) != from(mesh, twin);
            const auto wanted = static_cast<std::uint8_t>(turn[triangle] ^ static_cast<std::uint8_t>(!agree));
            const std::uint32_t other = twin / 3;
            if (shells.of_triangle[other] == kNotYet) {
                shells.of_triangle[other] = shell;
                turn[other] = wanted;
                members.push_back(other);
            } else if (turn[other] != wanted) {
                shells.one_sided = other;
            }
        }
    }
}

/// Does the ray from `start` along `direction` go through the triangle? (Moeller and Trumbore 1997.)
bool is_hit(const SpacePoint& start, const SpacePoint& direction, const SpacePoint& a, const SpacePoint& b,
            const SpacePoint& c) noexcept {
    const SpacePoint ab = b - a, ac = c - a, away = start - a;
    const SpacePoint p = cross(direction, ac);
    const double determinant = dot(ab, p);
    if (determinant == 0.0) return false;
    const double u = dot(away, p) / determinant;
    if (u < 0.0 || u > 1.0) return false;
    const SpacePoint q = cross(away, ab);
    const double v = dot(direction, q) / determinant;
    return v >= 0.0 && u + v <= 1.0 && dot(ac, q) / determinant > 0.0;
}

bool is_within(const Box& inner, const Box& outer) noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (inner.low[axis] < outer.low[axis] || inner.high[axis] > outer.high[axis]) return false;
    return true;
}

}  // namespace

Shells orient(TriangleMesh& mesh, const HalfEdges& edges) {
    Shells shells;
    shells.of_triangle.assign(mesh.triangles.size(), kNotYet);
    std::vector<std::uint8_t> turn(mesh.triangles.size(), 0);
    std::vector<std::uint32_t> members;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        if (shells.of_triangle[t] != kNotYet) continue;
        flood(mesh, edges, t, shells, turn, members);
        ++shells.count;
        const auto turned = static_cast<std::size_t>(
            std::count_if(members.begin(), members.end(), [&](std::uint32_t member) { return turn[member] != 0; }));
        const bool most = 2 * turned > members.size();  // the fewer are the ones that are wrong
        shells.turned += most ? members.size() - turned : turned;
        for (const std::uint32_t member : members)
            if ((turn[member] != 0) != most) std::swap(mesh.triangles[member][1], mesh.triangles[member][2]);
    }
    return shells;
}

void turn_shells(TriangleMesh& mesh, const Shells& shells, const std::vector<bool>& turn) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        if (turn[shells.of_triangle[t]]) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
}

std::vector<double> volumes_times_six(const TriangleMesh& mesh, const Shells& shells) {
    std::vector<double> volumes(shells.count, 0.0);
    const SpacePoint origin = box_of(mesh.points).centre();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle& triangle = mesh.triangles[t];
        volumes[shells.of_triangle[t]] +=
            dot(mesh.points[triangle[0]] - origin,
                cross(mesh.points[triangle[1]] - origin, mesh.points[triangle[2]] - origin));
    }
    return volumes;
}

std::vector<std::size_t> shells_around(const TriangleMesh& mesh, const Shells& shells) {
    std::vector<std::size_t> around(shells.count, 0);
    if (shells.count < 2) return around;
    std::vector<std::vector<SpacePoint>> points(shells.count);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (const std::uint32_t corner : mesh.triangles[t])
            points[shells.of_triangle[t]].push_back(mesh.points[corner]);
    std::vector<Box> boxes;
    for (const auto& of_shell : points) boxes.push_back(box_of(of_shell));
    const SpacePoint direction{0.5377, 0.2188, 0.8142};  // along no edge that people draw
    for (std::size_t inner = 0; inner < shells.count; ++inner)
        for (std::size_t outer = 0; outer < shells.count; ++outer) {
            if (inner == outer || !is_within(boxes[inner], boxes[outer])) continue;
            bool inside = false;
            for (std::size_t i = 0; i + 2 < points[outer].size(); i += 3)
                if (is_hit(points[inner].front(), direction, points[outer][i], points[outer][i + 1],
                           points[outer][i + 2]))
                    inside = !inside;
            if (inside) ++around[inner];
        }
    return around;
}

}  // namespace topple::hil::mesh
