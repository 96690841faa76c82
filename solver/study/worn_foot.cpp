#include "solver/study/worn_foot.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <string>

namespace topple::solver {
namespace {

/// Wear of less than this share of the foot's width is none: its chords would be lost in rounding.
constexpr double kNoWear = 1e-9;

/// One face moved inwards by the radius: z = height_m + slope x, from `from_m` on.
struct InnerFace {
    std::size_t face = 0;
    double slope = 0.0, height_m = 0.0, from_m = 0.0;

    double at(double x_m) const noexcept { return height_m + slope * x_m; }
};

/// Where the centre of the disc can be at the lowest: the highest of all inner faces, from left to right.
std::vector<InnerFace> inner_faces(const Foot& foot, double radius_m, double left_m, double right_m) {
    std::vector<InnerFace> inner;
    for (std::size_t i = 0; i + 1 < foot.corners_m.size(); ++i) {
        const auto &a = foot.corners_m[i], &b = foot.corners_m[i + 1];
        const double slope = (b[1] - a[1]) / (b[0] - a[0]);
        InnerFace next{i, slope, a[1] - slope * a[0] + radius_m * std::hypot(1.0, slope), left_m};
        while (!inner.empty()) {
            next.from_m = (inner.back().height_m - next.height_m) / (slope - inner.back().slope);
            if (next.from_m > inner.back().from_m) break;
            inner.pop_back();  // the disc does not reach it between its neighbours
            next.from_m = left_m;
        }
        inner.push_back(next);
    }
    while (inner.size() > 1 && inner.back().from_m >= right_m) inner.pop_back();
    return inner;
}

/// Corners on the arc about a centre, from one downward normal to another, both ends included.
void add_arc(WornFoot& worn, double x_m, double z_m, double radius_m, double from_rad, double to_rad) {
    const int chords = std::max(1, static_cast<int>(std::ceil((to_rad - from_rad) / kWearChord_rad - 1e-9)));
    for (int k = 0; k <= chords; ++k) {
        const double normal_rad = std::lerp(from_rad, to_rad, static_cast<double>(k) / chords);
        worn.foot.corners_m.push_back({x_m + radius_m * std::sin(normal_rad), z_m - radius_m * std::cos(normal_rad)});
        if (k > 0) worn.face_before.push_back(std::nullopt);
    }
}

[[noreturn]] void refuse(const Foot& foot, double radius_m) {
    const std::size_t stands = standing_face(foot);
    throw std::invalid_argument("wear_m = " + std::to_string(radius_m) +
                                ": nothing is left of the level face on one side of the mass centre; it reaches " +
                                std::to_string(-foot.corners_m[stands][0]) + " m to its left and " +
                                std::to_string(foot.corners_m[stands + 1][0]) + " m to its right: allowed: less wear");
}

}  // namespace

WornFoot worn(const Foot& foot, double radius_m) {
    const auto& corners = foot.corners_m;
    if (!(radius_m >= 0.0) || !std::isfinite(radius_m))
        throw std::invalid_argument("wear_m = " + std::to_string(radius_m) + ": must be finite and >= 0");
    if (radius_m <= kNoWear * (corners.back()[0] - corners.front()[0])) {
        WornFoot same{foot, std::vector<std::optional<std::size_t>>(corners.size() - 1)};
        for (std::size_t i = 0; i < same.face_before.size(); ++i) same.face_before[i] = i;
        return same;
    }
    const double left_m = corners.front()[0] + radius_m, right_m = corners.back()[0] - radius_m;
    if (!(left_m < right_m)) refuse(foot, radius_m);
    const std::vector<InnerFace> inner = inner_faces(foot, radius_m, left_m, right_m);
    constexpr double kVertical_rad = 0.5 * std::numbers::pi;
    WornFoot result;
    result.foot.inertia_kg_m2 = foot.inertia_kg_m2;
    result.foot.overturned_rad = foot.overturned_rad;
    double normal_rad = -kVertical_rad;
    for (const InnerFace& face : inner) {
        const double next_rad = std::atan(face.slope);
        add_arc(result, face.from_m, face.at(face.from_m), radius_m, normal_rad, next_rad);
        result.face_before.push_back(face.face);
        normal_rad = next_rad;
    }
    add_arc(result, right_m, inner.back().at(right_m), radius_m, normal_rad, kVertical_rad);
    const std::size_t stands = standing_face(foot), now = standing_face(result.foot);
    if (result.face_before[now] != stands || !(result.foot.corners_m[now][0] < 0.0)) refuse(foot, radius_m);
    // Level to the last digit, as it was.
    result.foot.corners_m[now][1] = result.foot.corners_m[now + 1][1] = corners[stands][1];
    return result;
}

}  // namespace topple::solver
