#include "solver/laws/foot_body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/engine/law.hpp"

namespace topple::solver {
namespace {

/// Of the angular momentum that an impact on a face keeps, or as stated; times the face's factor.
std::array<double, 2> ratios_of(const Restitution& restitution, const FootFace& face, std::size_t i) {
    std::array<double, 2> ratio{face.left_to_right, face.right_to_left};
    if (restitution.model == RestitutionModel::fixed) {
        ratio = {restitution.fixed_left_to_right, restitution.fixed_right_to_left};
        if (!restitution.fixed_faces.empty()) ratio = restitution.fixed_faces[i];
    }
    const auto& material = restitution.material;
    const double factor = material.empty() ? 1.0 : material[material.size() == 1 ? 0 : i];
    for (double& r : ratio) r = std::max(0.0, factor * r);
    return ratio;
}

FootBody::Face face_between(const ProfilePoint& a, const ProfilePoint& b, const FootFace& from) {
    const double ex = (b[0] - a[0]) / from.length_m, ez = (b[1] - a[1]) / from.length_m;
    FootBody::Face face;
    face.slope_rad = from.slope_rad;
    face.height_m = from.height_m;
    face.arm_m = {-(a[0] * ex + a[1] * ez), -(b[0] * ex + b[1] * ez)};
    return face;
}

/// Corner to mass centre of a body that has overturned about that corner to the left, right.
Vec2 overturned(Vec2 upright, int way, double rotation_rad) noexcept {
    if (rotation_rad == kHalfPi) return way < 0 ? Vec2{-upright.z, upright.x} : Vec2{upright.z, -upright.x};
    return turned(upright, way * std::sin(rotation_rad), std::cos(rotation_rad));
}

void add_corners(FootBody& body, const Foot& foot, double gravity_m_s2) {
    const double gyration_m2 = body.inertia_kg_m2 / body.mass_kg;
    const std::size_t faces = body.faces.size();
    body.p_rad_s = 0.0;
    for (std::size_t j = 0; j <= faces; ++j) {
        const Vec2 c{-foot.corners_m[j][0], -foot.corners_m[j][1]};
        FootBody::Corner corner;
        corner.radius_m = std::hypot(c.x, c.z);
        corner.inertia_m2 = gyration_m2 + dot(c, c);
        corner.at_limit_m[0] = body.roll.first < j ? body.arm_m(j - 1, 1) : overturned(c, -1, foot.overturned_rad);
        corner.at_limit_m[1] = j < body.roll.end ? body.arm_m(j, -1) : overturned(c, 1, foot.overturned_rad);
        body.p_rad_s = std::max(body.p_rad_s, std::sqrt(gravity_m_s2 * corner.radius_m / corner.inertia_m2));
        body.corners.push_back(corner);
    }
}

}  // namespace

BlockGeometry FootBody::on_face(std::size_t face) const noexcept {
    const Vec2 left = arm_m(face, -1), right = arm_m(face, 1);
    return {mass_kg, inertia_kg_m2, 2.0 * left.z, -left.x, -right.x, {left, {0.0, left.z}, right}};
}

FootBody make_foot_body(const Specimen& specimen, double gravity_m_s2) {
    const Foot& foot = *specimen.foot;
    FootBody body;
    body.mass_kg = specimen.blocks[0].mass_kg;
    body.inertia_kg_m2 = foot.inertia_kg_m2;
    body.stands = standing_face(foot);
    body.roll = faces_of_roll(foot);
    const std::vector<FootFace> faces = faces_of(foot, body.mass_kg);
    body.faces.reserve(faces.size());
    body.corners.reserve(faces.size() + 1);
    for (std::size_t i = 0; i < faces.size(); ++i) {
        FootBody::Face face = face_between(foot.corners_m[i], foot.corners_m[i + 1], faces[i]);
        face.ratio = ratios_of(specimen.restitution, faces[i], i);
        face.to_next_rad = {face.slope_rad - (body.has_next(i, -1) ? faces[i - 1].slope_rad : -foot.overturned_rad),
                            (body.has_next(i, 1) ? faces[i + 1].slope_rad : foot.overturned_rad) - face.slope_rad};
        body.faces.push_back(face);
    }
    add_corners(body, foot, gravity_m_s2);
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const double left = body.corners[i].inertia_m2, right = body.corners[i + 1].inertia_m2;
        const auto& ratio = body.faces[i].ratio;
        body.is_passive = body.is_passive && ratio[0] * ratio[0] * right <= left * (1.0 + 1e-12) &&
                          ratio[1] * ratio[1] * left <= right * (1.0 + 1e-12);
    }
    return body;
}

FootPlace place_at(const FootBody& body, double rotation_rad, double rate_rad_s) noexcept {
    // The nearest face, so that a small rotation from it keeps its digits.
    FootPlace place;
    place.face = body.roll.first;
    for (std::size_t i = body.roll.first + 1; i < body.roll.end; ++i)
        if (std::abs(rotation_rad - body.faces[i].slope_rad) <
            std::abs(rotation_rad - body.faces[place.face].slope_rad))
            place.face = i;
    const double slope = body.faces[place.face].slope_rad;
    place.from_face_rad = rotation_rad - slope;
    if (std::abs(place.from_face_rad) <= std::numeric_limits<double>::epsilon() * std::abs(slope))
        place.from_face_rad = 0.0;
    const double side = place.from_face_rad != 0.0 ? place.from_face_rad : rate_rad_s;
    place.side = side > 0.0 ? 1 : side < 0.0 ? -1 : 0;
    return place;
}

}  // namespace topple::solver
