#include "hil/mesh/half_edges.hpp"

#include <algorithm>

namespace topple::hil::mesh {
namespace {

/// Half-edges sorted into one bucket per lower point: buckets[begins[p]] to buckets[begins[p + 1]].
struct Buckets {
    std::vector<std::uint32_t> begins;
    std::vector<std::uint64_t> entries;  ///< higher point in the upper half, half-edge in the lower
};

Buckets sorted_by_lower_point(const TriangleMesh& mesh) {
    const auto count = static_cast<std::uint32_t>(3 * mesh.triangles.size());
    Buckets buckets{std::vector<std::uint32_t>(mesh.points.size() + 2), std::vector<std::uint64_t>(count)};
    // Counted two places ahead, so that after filling begins[p] is where the bucket of p begins.
    for (std::uint32_t h = 0; h < count; ++h) ++buckets.begins[std::min(from(mesh, h), to(mesh, h)) + 2];
    for (std::size_t p = 2; p < buckets.begins.size(); ++p) buckets.begins[p] += buckets.begins[p - 1];
    for (std::uint32_t h = 0; h < count; ++h) {
        const auto [low, high] = std::minmax({from(mesh, h), to(mesh, h)});
        buckets.entries[buckets.begins[low + 1]++] = std::uint64_t{high} << 32U | h;
    }
    return buckets;
}

}  // namespace

HalfEdges half_edges_of(const TriangleMesh& mesh) {
    HalfEdges edges;
    edges.twin.assign(3 * mesh.triangles.size(), HalfEdges::kNone);
    Buckets buckets = sorted_by_lower_point(mesh);
    const auto half_edge = [&](std::size_t i) { return static_cast<std::uint32_t>(buckets.entries[i]); };
    for (std::size_t p = 0; p < mesh.points.size(); ++p) {
        const std::size_t begin = buckets.begins[p], end = buckets.begins[p + 1];
        std::sort(buckets.entries.begin() + static_cast<std::ptrdiff_t>(begin),
                  buckets.entries.begin() + static_cast<std::ptrdiff_t>(end));
        for (std::size_t i = begin; i < end;) {
            std::size_t next = i + 1;
            while (next < end && buckets.entries[next] >> 32U == buckets.entries[i] >> 32U) ++next;
            if (next - i == 1) edges.open.push_back(half_edge(i));
            if (next - i == 2) {
                edges.twin[half_edge(i)] = half_edge(i + 1);
                edges.twin[half_edge(i + 1)] = half_edge(i);
            }
            if (next - i > 2) edges.crowded.push_back(half_edge(i));
            i = next;
        }
    }
    return edges;
}

}  // namespace topple::hil::mesh
