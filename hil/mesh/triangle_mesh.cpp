#include "hil/mesh/triangle_mesh.hpp"

#include <algorithm>

namespace topple::hil::mesh {

double Box::largest_extent() const noexcept {
    return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
}

SpacePoint Box::centre() const noexcept {
    return {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])};
}

Box box_of(const std::vector<SpacePoint>& points) noexcept {
    Box box;
    if (points.empty()) return box;
    box.low = box.high = points.front();
    for (const SpacePoint& point : points)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            box.low[axis] = std::min(box.low[axis], point[axis]);
            box.high[axis] = std::max(box.high[axis], point[axis]);
        }
    return box;
}

}  // namespace topple::hil::mesh
