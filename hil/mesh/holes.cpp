#include "hil/mesh/holes.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace topple::hil::mesh {
namespace {

void measure(const TriangleMesh& mesh, Hole& hole) {
    std::vector<SpacePoint> points;
    for (const std::uint32_t point : hole.points) points.push_back(mesh.points[point]);
    const Box box = box_of(points);
    hole.width = box.largest_extent();
    const auto count = static_cast<double>(points.size());
    for (const SpacePoint& point : points)
        for (std::size_t axis = 0; axis < 3; ++axis) hole.centre[axis] += point[axis] / count;
    SpacePoint normal{};  // of the mean plane: area vector of the polygon
    for (std::size_t i = 0; i < points.size(); ++i) {
        const SpacePoint part = cross(points[i] - hole.centre, points[(i + 1) % points.size()] - hole.centre);
        for (std::size_t axis = 0; axis < 3; ++axis) normal[axis] += part[axis];
    }
    const double length = std::sqrt(dot(normal, normal));
    for (const SpacePoint& point : points)
        hole.off_plane = std::max(hole.off_plane,
                                  length > 0.0 ? std::abs(dot(point - hole.centre, normal)) / length : hole.width);
}

}  // namespace

std::vector<Hole> holes_of(const TriangleMesh& mesh, const HalfEdges& edges) {
    std::unordered_multimap<std::uint32_t, std::uint32_t> leaving;  // from a point to the next along the open edge
    for (const std::uint32_t h : edges.open) leaving.emplace(from(mesh, h), to(mesh, h));
    std::vector<Hole> holes;
    while (!leaving.empty()) {
        Hole hole;
        const std::uint32_t first = leaving.begin()->first;
        std::uint32_t at = first;
        do {
            const auto next = leaving.find(at);
            if (next == leaving.end()) break;
            if (leaving.count(at) > 1) hole.is_ring = false;
            hole.points.push_back(at);
            at = next->second;
            leaving.erase(next);
        } while (at != first);
        if (at != first || hole.points.size() < 3) hole.is_ring = false;
        measure(mesh, hole);
        holes.push_back(std::move(hole));
    }
    // The map has no order; the answer must not depend on it.
    std::sort(holes.begin(), holes.end(), [](const Hole& a, const Hole& b) {
        return a.points.size() != b.points.size() ? a.points.size() > b.points.size() : a.centre < b.centre;
    });
    return holes;
}

void cap(TriangleMesh& mesh, const Hole& hole) {
    const auto centre = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.push_back(hole.centre);
    for (std::size_t i = 0; i < hole.points.size(); ++i)  // against the open half-edge, so that the two agree
        mesh.triangles.push_back({hole.points[(i + 1) % hole.points.size()], hole.points[i], centre});
}

}  // namespace topple::hil::mesh
