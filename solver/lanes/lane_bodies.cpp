#include "solver/lanes/lane_bodies.hpp"

#include <array>
#include <cmath>

#include "solver/lanes/outcomes_in_lanes.hpp"

namespace topple::solver {
namespace {

double squared_parameter(double mass_kg, double radius_m, double inertia_kg_m2, double gravity_m_s2) {
    return mass_kg * gravity_m_s2 * radius_m / (inertia_kg_m2 + mass_kg * radius_m * radius_m);
}

/// Rate ratios of an impact on one face, {left to right, right to left}.
std::array<double, 2> face_ratio(const Restitution& restitution, const FootFace& face, std::size_t i) {
    const double factor = restitution.material[restitution.material.size() == 1 ? 0 : i];
    std::array<double, 2> ratio{face.left_to_right, face.right_to_left};
    if (restitution.model == RestitutionModel::fixed) {
        ratio = {restitution.fixed_left_to_right, restitution.fixed_right_to_left};
        if (!restitution.fixed_faces.empty()) ratio = restitution.fixed_faces[i];
    }
    return {factor * ratio[0], factor * ratio[1]};
}

/// The way from a face to where the mass centre is above one of its corners.
struct FaceAngle {
    double sine, cosine;
};
FaceAngle angle_over(const std::vector<ProfilePoint>& corners, std::size_t face, bool from_left, bool is_level) {
    const ProfilePoint &a = corners[face], &b = corners[face + 1], &corner = from_left ? a : b;
    const double length_m = std::hypot(b[0] - a[0], b[1] - a[1]);
    const double x = is_level ? 1.0 : (b[0] - a[0]) / length_m, z = is_level ? 0.0 : (b[1] - a[1]) / length_m;
    const double radius_m = std::hypot(corner[0], corner[1]);
    const double along_m = -(corner[0] * x + corner[1] * z), over_m = corner[0] * z - corner[1] * x;
    return {(from_left ? along_m : -along_m) / radius_m, over_m / radius_m};
}

}  // namespace

LaneBody lane_body(const Specimen& specimen, double axes_rad_s, double gravity_m_s2) {
    const SpecimenScale scale = scale_of(specimen, gravity_m_s2);
    LaneBody body;
    body.seat_cosine = std::cos(specimen.initial_tilt_rad);
    body.seat_sine = std::sin(specimen.initial_tilt_rad);
    body.initial_rotation_rad = specimen.initial_rotation_rad.empty() ? 0.0 : specimen.initial_rotation_rad[0];
    const std::vector<double> ratios = restitution_ratios(specimen);
    for (std::size_t i = 0; i < 2; ++i) {
        double alpha = scale.slenderness_rad, p = scale.frequency_parameter_rad_s;
        if (specimen.pivots) {
            const Pivots& pivots = *specimen.pivots;
            alpha = i == 0 ? pivots.alpha_left_rad : pivots.alpha_right_rad;
            p = std::sqrt(squared_parameter(specimen.blocks[0].mass_kg,
                                            i == 0 ? pivots.radius_left_m : pivots.radius_right_m, pivots.inertia_kg_m2,
                                            gravity_m_s2));
        }
        const double ratio = p / axes_rad_s;
        body.sides[i] = {alpha, std::sin(alpha), std::cos(alpha), ratio * ratio,
                         i < ratios.size() ? ratios[i] : ratios[0]};
    }
    return body;
}

std::vector<LaneSide> lane_corners(const Specimen& specimen, double axes_rad_s, double gravity_m_s2) {
    const Foot& foot = *specimen.foot;
    const std::vector<ProfilePoint>& corners = foot.corners_m;
    const double mass_kg = specimen.blocks[0].mass_kg;
    const std::vector<FootFace> faces = faces_of(foot, mass_kg);
    std::vector<std::array<double, 2>> ratios;
    for (std::size_t i = 0; i < faces.size(); ++i) ratios.push_back(face_ratio(specimen.restitution, faces[i], i));
    const std::size_t standing = standing_face(foot);
    const FaceRange roll = faces_of_roll(foot);
    std::vector<LaneSide> sides;
    for (std::size_t i = roll.first; i <= roll.end; ++i) {
        const bool leans_right = i > standing;
        const double sign = leans_right ? 1.0 : -1.0, radius_m = std::hypot(corners[i][0], corners[i][1]);
        const auto slope = [&](std::size_t face) { return face == standing ? 0.0 : sign * faces[face].slope_rad; };
        LaneSide& side = sides.emplace_back();
        side.slenderness_rad = std::atan2(sign * corners[i][0], -corners[i][1]);
        side.radius_m = radius_m;
        side.stiffness_ratio =
            squared_parameter(mass_kg, radius_m, foot.inertia_kg_m2, gravity_m_s2) / (axes_rad_s * axes_rad_s);
        const std::size_t low = leans_right ? i - 1 : i;  // the faces at its ends
        const FaceAngle at_low = angle_over(corners, low, !leans_right, low == standing);
        side.low_rad = slope(low);
        side.sine = at_low.sine, side.cosine = at_low.cosine;
        side.restitution = ratios[low][leans_right ? 1 : 0];
        side.high_rad = foot.overturned_rad;
        if (i == roll.first || i == roll.end) continue;
        const std::size_t high = leans_right ? i : i - 1;
        const FaceAngle at_high = angle_over(corners, high, leans_right, false);
        side.high_rad = slope(high);
        side.high_sine = at_high.sine, side.high_cosine = at_high.cosine;
        side.restitution_high = ratios[high][leans_right ? 0 : 1];
    }
    return sides;
}

namespace {

/// No impact on a face adds energy: of the same rate it has as much as the corner's inertia.
bool is_passive(const std::vector<LaneSide>& corners, std::size_t standing) {
    const auto inertia = [&](std::size_t i) { return corners[i].radius_m / corners[i].stiffness_ratio; };
    for (std::size_t face = 0; face + 1 < corners.size(); ++face) {
        const LaneSide &left = corners[face], &right = corners[face + 1];
        const double to_right = face <= standing ? left.restitution : left.restitution_high;
        const double to_left = face >= standing ? right.restitution : right.restitution_high;
        const double gain = inertia(face + 1) / inertia(face);
        constexpr double kRounding = 1.0 + 1e-12;
        if (to_right * to_right * gain > kRounding || to_left * to_left > gain * kRounding) return false;
    }
    return true;
}

}  // namespace

const LaneBody& LaneBodies::add(const Specimen& specimen, double axes_rad_s, double gravity_m_s2) {
    if (!specimen.foot) return bodies_.emplace_back(lane_body(specimen, axes_rad_s, gravity_m_s2));
    const std::vector<LaneSide>& corners = corners_.emplace_back(lane_corners(specimen, axes_rad_s, gravity_m_s2));
    LaneBody& body = bodies_.emplace_back();
    body.corners = corners.data();
    body.corner_count = static_cast<int>(corners.size());
    body.first_face = static_cast<int>(faces_of_roll(*specimen.foot).first);
    body.standing_face = static_cast<int>(standing_face(*specimen.foot)) - body.first_face;
    body.is_passive = is_passive(corners, static_cast<std::size_t>(body.standing_face));
    for (int i = 0; i < 2; ++i) body.sides[i] = corners[static_cast<std::size_t>(body.standing_face + i)];
    body.seat_cosine = std::cos(specimen.initial_tilt_rad);
    body.seat_sine = std::sin(specimen.initial_tilt_rad);
    body.initial_rotation_rad = specimen.initial_rotation_rad.empty() ? 0.0 : specimen.initial_rotation_rad[0];
    return body;
}

}  // namespace topple::solver
