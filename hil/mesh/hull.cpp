#include "hil/mesh/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "hil/files/errors.hpp"

namespace topple::hil::mesh {
namespace {

/// Qhull writes its complaints to a FILE.
class Complaints {
  public:
    Complaints() : file_(open_memstream(&text_, &size_)) {}
    ~Complaints() {
        if (file_ != nullptr) std::fclose(file_);
        std::free(text_);  // NOLINT: from open_memstream
    }
    Complaints(const Complaints&) = delete;
    Complaints& operator=(const Complaints&) = delete;
    FILE* file() const noexcept { return file_; }
    std::string first_line() {
        std::fflush(file_);
        const std::string text(text_ == nullptr ? "" : text_);
        return text.substr(0, text.find('\n'));
    }

  private:
    char* text_ = nullptr;
    std::size_t size_ = 0;
    FILE* file_ = nullptr;
};

/// One run of Qhull, with its memory.
class Qhull {
  public:
    Qhull() {
        QHULL_LIB_CHECK
        qh_zero(&qh_, complaints_.file());
    }
    ~Qhull() {
        qh_.NOerrexit = 1;
        int blocks = 0, bytes = 0;
        qh_freeqhull(&qh_, !qh_ALL);
        qh_memfreeshort(&qh_, &blocks, &bytes);
    }
    Qhull(const Qhull&) = delete;
    Qhull& operator=(const Qhull&) = delete;

    void run(std::vector<double>& coordinates, std::string command) {
        const int code = qh_new_qhull(&qh_, 3, static_cast<int>(coordinates.size() / 3), coordinates.data(), False,
                                      command.data(), nullptr, complaints_.file());
        if (code != 0)
            throw files::InputError(fmt::format("its convex hull could not be found: {}", complaints_.first_line()));
    }
    qhT* get() noexcept { return &qh_; }

  private:
    Complaints complaints_;
    qhT qh_{};
};

/// Corners in order around the face, counter-clockwise seen from outside.
std::vector<std::uint32_t> ring_of(qhT* qh, facetT* facet, const std::vector<double>& coordinates) {
    setT* vertices = qh_facet3vertex(qh, facet);
    std::vector<std::uint32_t> ring;
    vertexT *vertex = nullptr, **vertexp = nullptr;
    FOREACHvertex_(vertices) ring.push_back(static_cast<std::uint32_t>(qh_pointid(qh, vertex->point)));
    qh_settempfree(qh, &vertices);
    const auto point = [&](std::size_t i) {
        const double* at = &coordinates[3 * ring[i]];
        return SpacePoint{at[0], at[1], at[2]};
    };
    double turn = 0.0;
    const SpacePoint normal{facet->normal[0], facet->normal[1], facet->normal[2]};
    for (std::size_t i = 1; i + 1 < ring.size(); ++i)
        turn += dot(normal, cross(point(i) - point(0), point(i + 1) - point(0)));
    if (turn < 0.0) std::reverse(ring.begin(), ring.end());
    return ring;
}

std::vector<double> coordinates_of(std::span<const SpacePoint> points) {
    std::vector<double> coordinates;
    coordinates.reserve(3 * points.size());
    for (const SpacePoint& point : points) coordinates.insert(coordinates.end(), point.begin(), point.end());
    return coordinates;
}

// Options of Qhull. Pp: no report about precision. W: how far a point must stand out. C: faces are one if they bend by
// less than this between their middles.

/// The points that stand out.
std::vector<SpacePoint> outer_points(std::span<const SpacePoint> points, double tolerance) {
    std::vector<double> coordinates = coordinates_of(points);
    Qhull qhull;
    qhull.run(coordinates, fmt::format("qhull Pp W{:.17g}", tolerance));
    qhT* qh = qhull.get();
    std::vector<SpacePoint> outer;
    vertexT* vertex = nullptr;
    FORALLvertex_(qh->vertex_list) outer.push_back(points[static_cast<std::size_t>(qh_pointid(qh, vertex->point))]);
    return outer;
}

/// Edges of the faces with the face and the place in it that they come from, sorted by their corners.
struct FaceEdge {
    std::array<std::size_t, 2> corners;
    std::size_t face, place;
};

std::vector<FaceEdge> face_edges(const Hull& hull) {
    std::vector<FaceEdge> edges;
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        const auto& ring = hull.faces[f].corners;
        for (std::size_t k = 0; k < ring.size(); ++k) {
            const std::size_t a = ring[k], b = ring[(k + 1) % ring.size()];
            edges.push_back({{std::min(a, b), std::max(a, b)}, f, k});
        }
    }
    std::sort(edges.begin(), edges.end(), [](const FaceEdge& a, const FaceEdge& b) { return a.corners < b.corners; });
    return edges;
}

}  // namespace

Hull hull_of(std::span<const SpacePoint> all, double tolerance) {
    // Joining faces takes much longer than finding them: first the few points that matter.
    const std::vector<SpacePoint> points = outer_points(all, tolerance);
    std::vector<double> coordinates = coordinates_of(points);
    Qhull qhull;
    qhull.run(coordinates, fmt::format("qhull Pp W{0:.17g} C-{0:.17g}", tolerance));
    qhT* qh = qhull.get();
    Hull hull;
    std::vector<std::uint32_t> place(points.size(), 0xFFFF'FFFF);
    facetT* facet = nullptr;
    FORALLfacet_(qh->facet_list) {
        HullFace face{ring_of(qh, facet, coordinates), {facet->normal[0], facet->normal[1], facet->normal[2]},
                      -facet->offset};
        for (std::uint32_t& corner : face.corners) {
            if (place[corner] == 0xFFFF'FFFF) {
                place[corner] = static_cast<std::uint32_t>(hull.corners.size());
                hull.corners.push_back(points[corner]);
            }
            corner = place[corner];
        }
        hull.faces.push_back(std::move(face));
    }
    return hull;
}

std::vector<std::array<std::size_t, 2>> edges_of(const Hull& hull) {
    std::vector<std::array<std::size_t, 2>> edges;
    for (const FaceEdge& edge : face_edges(hull))
        if (edges.empty() || edges.back() != edge.corners) edges.push_back(edge.corners);
    return edges;
}

std::vector<std::vector<std::size_t>> neighbours_of(const Hull& hull) {
    std::vector<std::vector<std::size_t>> neighbours;
    for (std::size_t f = 0; f < hull.faces.size(); ++f)
        neighbours.emplace_back(hull.faces[f].corners.size(), f);
    const std::vector<FaceEdge> edges = face_edges(hull);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        if (edges[i].corners != edges[i + 1].corners) continue;
        neighbours[edges[i].face][edges[i].place] = edges[i + 1].face;
        neighbours[edges[i + 1].face][edges[i + 1].place] = edges[i].face;
    }
    return neighbours;
}

}  // namespace topple::hil::mesh
