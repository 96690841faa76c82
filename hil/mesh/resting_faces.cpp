#include "hil/mesh/resting_faces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace topple::hil::mesh {
namespace {

/// The edge that is nearest to the point below the mass centre, or farthest behind it: negative distance outside.
struct NearestEdge {
    std::size_t place = 0;
    double distance = std::numeric_limits<double>::infinity();
};

/// Along `direction` from the mass centre to the plane of the face, then within the plane to its edges.
NearestEdge nearest_edge(const Hull& hull, const HullFace& face, const SpacePoint& centre) {
    NearestEdge nearest;
    const std::size_t count = face.corners.size();
    for (std::size_t k = 0; k < count; ++k) {
        const SpacePoint& a = hull.corners[face.corners[k]];
        const SpacePoint edge = hull.corners[face.corners[(k + 1) % count]] - a;
        const SpacePoint inwards = cross(face.normal, edge);
        const double distance = dot(centre - a, inwards) / std::sqrt(dot(inwards, inwards));
        if (distance < nearest.distance) nearest = {k, distance};
    }
    return nearest;
}

double height_over(const HullFace& face, const SpacePoint& centre) noexcept {
    return face.distance - dot(face.normal, centre);
}

double area_of(const Hull& hull, const HullFace& face) noexcept {
    double area = 0.0;
    const SpacePoint& first = hull.corners[face.corners[0]];
    for (std::size_t k = 1; k + 1 < face.corners.size(); ++k)
        area += 0.5 * dot(face.normal, cross(hull.corners[face.corners[k]] - first,
                                             hull.corners[face.corners[k + 1]] - first));
    return area;
}

/// The face through which the vertical downwards from the mass centre leaves the hull.
std::size_t face_below(const Hull& hull, const SpacePoint& centre) noexcept {
    std::size_t below = 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        const double down = -hull.faces[f].normal[2];
        if (!(down > 0.0)) continue;
        const double way = height_over(hull.faces[f], centre) / down;
        if (way < nearest) nearest = way, below = f;
    }
    return below;
}

}  // namespace

std::vector<RestingFace> resting_faces(const Hull& hull, const SpacePoint& centre) {
    std::vector<RestingFace> resting;
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        const HullFace& face = hull.faces[f];
        const double height = height_over(face, centre), inside = nearest_edge(hull, face, centre).distance;
        if (!(inside > 0.0 && height > 0.0)) continue;
        const double sideways = std::hypot(face.normal[0], face.normal[1]);
        resting.push_back({f, area_of(hull, face), height, std::atan2(sideways, -face.normal[2]),
                           std::atan2(inside, height)});
    }
    std::sort(resting.begin(), resting.end(), [](const RestingFace& a, const RestingFace& b) {
        return a.tilt_rad != b.tilt_rad ? a.tilt_rad < b.tilt_rad : a.face < b.face;
    });
    return resting;
}

std::optional<std::size_t> settled_face(const Hull& hull, const SpacePoint& centre,
                                        const std::vector<RestingFace>& resting) {
    const std::vector<std::vector<std::size_t>> neighbours = neighbours_of(hull);
    std::size_t at = face_below(hull, centre);
    // The mass centre sinks from face to face, so that no face comes twice.
    for (std::size_t step = 0; step < hull.faces.size(); ++step) {
        const NearestEdge edge = nearest_edge(hull, hull.faces[at], centre);
        const std::size_t next = neighbours[at][edge.place];
        if (edge.distance > 0.0 || next == at) break;
        at = next;
    }
    const auto found =
        std::find_if(resting.begin(), resting.end(), [&](const RestingFace& face) { return face.face == at; });
    if (found == resting.end()) return std::nullopt;
    return static_cast<std::size_t>(found - resting.begin());
}

}  // namespace topple::hil::mesh
