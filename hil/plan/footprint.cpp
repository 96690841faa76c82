#include "hil/plan/footprint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hil/mesh/mesh_body.hpp"

namespace topple::hil::plan {
namespace {

using Point = std::array<double, 2>;

constexpr double kOnBase = 1e-9;  // of the height of the mass centre: corners this near to the base stand on it

std::vector<Point> convex_outline(std::vector<Point> points) {
    std::vector<Point> outline;
    for (const std::size_t i : solver::lower_hull(points)) outline.push_back(points[i]);
    for (Point& point : points) point[1] = -point[1];
    std::vector<Point> upper;
    for (const std::size_t i : solver::lower_hull(points)) upper.push_back({points[i][0], -points[i][1]});
    for (auto point = upper.rbegin(); point != upper.rend(); ++point)
        if (*point != outline.back() && *point != outline.front()) outline.push_back(*point);
    return outline;
}

Footprint footprint_of_solid(const solver::Solid& solid, double yaw_rad) {
    Footprint footprint;
    for (const solver::SpacePoint& corner : solid.corners_m)
        footprint.height_m = std::max(footprint.height_m, -corner[2]);
    const double s = std::sin(yaw_rad), c = std::cos(yaw_rad);
    std::vector<Point> points;
    for (const solver::SpacePoint& corner : solid.corners_m)
        if (corner[2] <= -footprint.height_m * (1.0 - kOnBase))
            points.push_back({corner[0] * c - corner[1] * s, corner[0] * s + corner[1] * c});
    footprint.corners_m = convex_outline(std::move(points));
    return footprint;
}

/// Left and right end of what a single body stands on, and the height of its mass centre.
struct Base {
    double left_m, right_m, height_m;
};

Base base_of(const solver::Specimen& specimen) noexcept {
    if (specimen.foot) {
        const auto& corners = specimen.foot->corners_m;
        const std::size_t face = solver::standing_face(*specimen.foot);
        return {corners[face][0], corners[face + 1][0], -corners[face][1]};
    }
    if (const auto& pivots = specimen.pivots)
        return {-pivots->radius_left_m * std::sin(pivots->alpha_left_rad),
                pivots->radius_right_m * std::sin(pivots->alpha_right_rad),
                0.5 * (pivots->radius_left_m * std::cos(pivots->alpha_left_rad) +
                       pivots->radius_right_m * std::cos(pivots->alpha_right_rad))};
    const solver::Block& block = specimen.blocks.front();
    return {-0.5 * block.width_m, 0.5 * block.width_m, 0.5 * block.height_m};
}

template <class Visit>
void for_each_edge(const Footprint& footprint, Visit&& visit) {
    const auto& corners = footprint.corners_m;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point &a = corners[i], &b = corners[(i + 1) % corners.size()];
        const double dx = b[0] - a[0], dy = b[1] - a[1], length = std::hypot(dx, dy);
        const Point normal{dy / length, -dx / length};
        visit(normal, normal[0] * a[0] + normal[1] * a[1]);
    }
}

/// Of the edge with this normal at this distance from the mass centre.
Point ends_of(const Footprint& footprint, const Point& normal, double distance_m) noexcept {
    Point ends{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    const double rounding_m = kOnBase * std::abs(distance_m);
    for (const auto& [x, y] : footprint.corners_m) {
        if (normal[0] * x + normal[1] * y < distance_m - footprint.contact_m - rounding_m) continue;
        const double along = normal[0] * y - normal[1] * x;
        ends = {std::min(ends[0], along), std::max(ends[1], along)};
    }
    return ends;
}

}  // namespace

std::optional<Footprint> footprint_of(const solver::Specimen& specimen, const experiment::SpecimenShape& shape) {
    if (specimen.blocks.size() != 1) return std::nullopt;
    if (specimen.solid) {
        Footprint footprint = footprint_of_solid(*specimen.solid, specimen.yaw_rad);
        if (shape.mesh) footprint.contact_m = shape.mesh->contact_tolerance_m;
        return footprint;
    }
    if (!shape.depth_m) return std::nullopt;
    const Base base = base_of(specimen);
    const double front = -0.5 * *shape.depth_m - shape.centre_offset_y_m, back = front + *shape.depth_m;
    return Footprint{
        {{base.left_m, front}, {base.right_m, front}, {base.right_m, back}, {base.left_m, back}}, base.height_m, 0.0};
}

WayOut way_out(const Footprint& footprint, const std::array<double, 2>& direction) noexcept {
    WayOut way{std::numeric_limits<double>::infinity(), {}, {}};
    for_each_edge(footprint, [&](const Point& normal, double distance) {
        const double along = normal[0] * direction[0] + normal[1] * direction[1];
        if (along > 0.0 && distance / along < way.distance_m)
            way = {distance / along, normal, ends_of(footprint, normal, distance)};
    });
    return way;
}

WayOut nearest_edge(const Footprint& footprint) noexcept {
    WayOut way{std::numeric_limits<double>::infinity(), {}, {}};
    for_each_edge(footprint, [&](const Point& normal, double distance) {
        if (distance < way.distance_m) way = {distance, normal, ends_of(footprint, normal, distance)};
    });
    return way;
}

}  // namespace topple::hil::plan
