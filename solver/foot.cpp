#include "solver/foot.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace topple::solver {
namespace {

/// Points nearer to a face than this share of the foot's width lie on it; a face within it of level is level.
constexpr double kFlat = 1e-9;

double turn(const ProfilePoint& a, const ProfilePoint& b, const ProfilePoint& c) noexcept {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

double width_of(const std::vector<ProfilePoint>& corners) noexcept { return corners.back()[0] - corners.front()[0]; }

/// Clockwise.
ProfilePoint turned(const ProfilePoint& p, double sine, double cosine) noexcept {
    return {p[0] * cosine + p[1] * sine, p[1] * cosine - p[0] * sine};
}

/// Where on face i the mass centre is in its direction: in (0, 1) over its inside.
double place_over(const std::vector<ProfilePoint>& corners, std::size_t i) noexcept {
    const double dx = corners[i + 1][0] - corners[i][0], dz = corners[i + 1][1] - corners[i][1];
    return -(corners[i][0] * dx + corners[i][1] * dz) / (dx * dx + dz * dz);
}

/// From the face that would touch next in the drawn pose, on to where the weight turns it.
std::size_t face_of_rest(const std::vector<ProfilePoint>& corners) {
    // The corner that touches is the lowest; the mass centre left of it turns the body to the left.
    const auto lowest =
        std::min_element(corners.begin(), corners.end(), [](const auto& a, const auto& b) { return a[1] < b[1]; });
    const auto at = static_cast<std::size_t>(lowest - corners.begin());
    const bool rightwards = (*lowest)[0] <= 0.0;
    const std::size_t faces = corners.size() - 1;
    if (rightwards) {
        for (std::size_t i = at; i < faces; ++i) {
            const double place = place_over(corners, i);
            if (place > 0.0 && place < 1.0) return i;
            if (place <= 0.0 && i > at) break;
        }
    } else {
        for (std::size_t i = at; i > 0; --i) {
            const double place = place_over(corners, i - 1);
            if (place > 0.0 && place < 1.0) return i - 1;
            if (place >= 1.0 && i < at) break;
        }
    }
    // Level faces have two lowest corners: the other one may be the one.
    for (std::size_t i = 0; i < faces; ++i) {
        const bool level = std::abs(corners[i][1] - corners[i + 1][1]) <= kFlat * width_of(corners);
        const double place = place_over(corners, i);
        if (level && place > 0.0 && place < 1.0) return i;
    }
    throw std::invalid_argument(
        "foot: the body rests on none of its faces: the mass centre, at [0, 0], must be over the inside of one");
}

}  // namespace

std::vector<std::size_t> lower_hull(const std::vector<ProfilePoint>& points) {
    std::vector<std::size_t> order(points.size()), hull;
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
    if (order.size() < 2) return order;
    const double width = points[order.back()][0] - points[order.front()][0];
    for (const std::size_t next : order) {
        // Of points above each other, but for rounding, the lowest counts.
        if (!hull.empty() && points[next][0] - points[hull.back()][0] <= kFlat * width) {
            if (points[next][1] >= points[hull.back()][1]) continue;
            hull.pop_back();
        }
        while (hull.size() >= 2) {
            const ProfilePoint &a = points[hull[hull.size() - 2]], &b = points[hull.back()], &c = points[next];
            if (turn(a, b, c) > kFlat * width * std::hypot(c[0] - a[0], c[1] - a[1])) break;
            hull.pop_back();
        }
        hull.push_back(next);
    }
    return hull;
}

StandingFoot standing_foot(const std::vector<ProfilePoint>& points, double inertia_kg_m2) {
    const std::vector<std::size_t> hull = lower_hull(points);
    if (hull.size() < 2 || hull.size() > kFootCornersMax)
        throw std::invalid_argument("foot: " + std::to_string(hull.size()) + " corners touch, allowed: 2 to " +
                                    std::to_string(kFootCornersMax));
    StandingFoot standing;
    standing.foot.inertia_kg_m2 = inertia_kg_m2;
    std::vector<ProfilePoint>& corners = standing.foot.corners_m;
    for (const std::size_t i : hull) corners.push_back(points[i]);
    for (std::size_t i = 0; i < points.size(); ++i)
        if (std::find(hull.begin(), hull.end(), i) == hull.end()) standing.left_out.push_back(i);
    const std::size_t face = face_of_rest(corners);
    const double dx = corners[face + 1][0] - corners[face][0], dz = corners[face + 1][1] - corners[face][1];
    if (dz != 0.0) {
        const double length = std::hypot(dx, dz);
        standing.turned_rad = std::atan2(dz, dx);
        for (ProfilePoint& corner : corners) corner = turned(corner, dz / length, dx / length);
        corners[face][1] = corners[face + 1][1] = 0.5 * (corners[face][1] + corners[face + 1][1]);
    }
    // Turned, an outer corner may no longer be part of the underside.
    std::vector<ProfilePoint> kept;
    for (const std::size_t i : lower_hull(corners)) kept.push_back(corners[i]);
    corners = std::move(kept);
    validate(standing.foot);
    return standing;
}

void validate(const Foot& foot) {
    const auto& corners = foot.corners_m;
    if (corners.size() < 2 || corners.size() > kFootCornersMax)
        throw std::invalid_argument("foot: " + std::to_string(corners.size()) + " corners, allowed: 2 to " +
                                    std::to_string(kFootCornersMax));
    if (!(foot.inertia_kg_m2 > 0.0) || !std::isfinite(foot.inertia_kg_m2))
        throw std::invalid_argument("foot: inertia_kg_m2 must be finite and > 0");
    if (!(foot.overturned_rad > 0.0) || !(foot.overturned_rad <= kLyingDown_rad))
        throw std::invalid_argument("foot: overturned_rad must be above 0 and at most pi/2");
    for (const ProfilePoint& corner : corners)
        if (!std::isfinite(corner[0]) || !std::isfinite(corner[1]))
            throw std::invalid_argument("foot: every coordinate must be finite");
    for (std::size_t i = 0; i + 1 < corners.size(); ++i)
        if (!(corners[i + 1][0] > corners[i][0]))
            throw std::invalid_argument("foot: corners must go from left to right");
    for (std::size_t i = 0; i + 2 < corners.size(); ++i)
        if (!(turn(corners[i], corners[i + 1], corners[i + 2]) > 0.0))
            throw std::invalid_argument("foot: corner " + std::to_string(i + 1) + " is not convex: take the hull");
    const std::size_t face = standing_face(foot);
    const double slope = corners[face + 1][1] - corners[face][1];
    if (!(std::abs(slope) <= kFlat * width_of(corners)) || !(corners[face][0] < 0.0 && corners[face + 1][0] > 0.0) ||
        !(corners[face][1] < 0.0))
        throw std::invalid_argument(
            "foot: no level face below the mass centre, which is at [0, 0]: turn the body so that it stands on one");
}

std::size_t standing_face(const Foot& foot) noexcept {
    const auto& corners = foot.corners_m;
    std::size_t face = 0;
    while (face + 2 < corners.size() && !(corners[face + 1][0] > 0.0)) ++face;
    return face;
}

FaceRange faces_of_roll(const Foot& foot) noexcept {
    const auto& corners = foot.corners_m;
    const auto slope_rad = [&](std::size_t i) {
        return std::atan2(corners[i + 1][1] - corners[i][1], corners[i + 1][0] - corners[i][0]);
    };
    const std::size_t stands = standing_face(foot);
    FaceRange range{stands, stands + 1};
    while (range.first > 0 && slope_rad(range.first - 1) > -foot.overturned_rad) --range.first;
    while (range.end + 1 < corners.size() && slope_rad(range.end) < foot.overturned_rad) ++range.end;
    return range;
}

std::vector<FootFace> faces_of(const Foot& foot, double mass_kg) {
    std::vector<FootFace> faces;
    const auto& corners = foot.corners_m;
    const std::size_t stands = standing_face(foot);
    for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
        const ProfilePoint &a = corners[i], &b = corners[i + 1];
        FootFace face;
        face.slope_rad = i == stands ? 0.0 : std::atan2(b[1] - a[1], b[0] - a[0]);
        face.length_m = std::hypot(b[0] - a[0], b[1] - a[1]);
        // From the middle of the face: the mirrored foot has the same height to the last bit.
        face.height_m = 0.5 * ((b[1] - a[1]) * (a[0] + b[0]) - (b[0] - a[0]) * (a[1] + b[1])) / face.length_m;
        const double place = place_over(corners, i);
        face.can_rest = place > 0.0 && place < 1.0 && face.height_m > 0.0;
        const double carried = foot.inertia_kg_m2 + mass_kg * (a[0] * b[0] + a[1] * b[1]);
        face.left_to_right = carried / (foot.inertia_kg_m2 + mass_kg * (b[0] * b[0] + b[1] * b[1]));
        face.right_to_left = carried / (foot.inertia_kg_m2 + mass_kg * (a[0] * a[0] + a[1] * a[1]));
        faces.push_back(face);
    }
    return faces;
}

}  // namespace topple::solver
