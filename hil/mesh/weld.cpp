#include "hil/mesh/weld.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace topple::hil::mesh {
namespace {

constexpr std::uint32_t kFree = 0xFFFF'FFFF;

std::uint64_t hash_of(const SpacePoint& point) noexcept {
    std::uint64_t hash = 0;
    for (const double coordinate : point) {  // + 0.0: -0 is at the same place as 0
        hash = (hash ^ std::bit_cast<std::uint64_t>(coordinate + 0.0)) * 0x9E37'79B9'7F4A'7C15U;
        hash ^= hash >> 32U;
    }
    return hash;
}

}  // namespace

std::size_t weld_equal(TriangleMesh& mesh) {
    const std::vector<SpacePoint> given = std::move(mesh.points);
    mesh.points.clear();
    std::vector<std::uint32_t> place(given.size(), kFree);  // of a given point among those that are kept
    std::vector<std::uint32_t> slots(std::bit_ceil(2 * given.size() + 2), kFree);
    const std::size_t mask = slots.size() - 1;
    std::size_t used = 0;
    for (Triangle& triangle : mesh.triangles)
        for (std::uint32_t& corner : triangle) {
            std::uint32_t& kept = place[corner];
            if (kept == kFree) {
                ++used;
                std::size_t slot = hash_of(given[corner]) & mask;
                while (slots[slot] != kFree && mesh.points[slots[slot]] != given[corner]) slot = (slot + 1) & mask;
                if (slots[slot] == kFree) {
                    slots[slot] = static_cast<std::uint32_t>(mesh.points.size());
                    mesh.points.push_back(given[corner]);
                }
                kept = slots[slot];
            }
            corner = kept;
        }
    return used - mesh.points.size();
}

std::size_t weld_near(TriangleMesh& mesh, std::span<const std::uint32_t> points, double distance) {
    std::vector<std::uint32_t> order(points.begin(), points.end());
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return mesh.points[a] < mesh.points[b]; });
    std::vector<std::uint32_t> becomes(mesh.points.size(), kFree);
    std::size_t merged = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (becomes[order[i]] != kFree) continue;
        const SpacePoint& at = mesh.points[order[i]];
        for (std::size_t k = i + 1; k < order.size() && mesh.points[order[k]][0] - at[0] <= distance; ++k) {
            const SpacePoint apart = mesh.points[order[k]] - at;
            if (becomes[order[k]] != kFree || dot(apart, apart) > distance * distance) continue;
            becomes[order[k]] = order[i];
            ++merged;
        }
    }
    for (Triangle& triangle : mesh.triangles)
        for (std::uint32_t& corner : triangle)
            if (becomes[corner] != kFree) corner = becomes[corner];
    return merged;
}

std::size_t leave_out_degenerate(TriangleMesh& mesh) {
    return std::erase_if(mesh.triangles, [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
}

}  // namespace topple::hil::mesh
