#include "solver/study/standing_pose.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "solver/study/worn_foot.hpp"

namespace topple::solver {
namespace {

void require_single(const Specimen& specimen, const char* what) {
    if (specimen.blocks.size() != 1)
        throw std::invalid_argument(std::string(what) + ": of a single body only, not of a stack");
}

/// Corners of a block or of a body with two pivots, about the mass centre.
std::array<ProfilePoint, 2> two_corners(const Specimen& specimen) {
    if (!specimen.pivots) {
        const Block& block = specimen.blocks[0];
        return {{{-0.5 * block.width_m, -0.5 * block.height_m}, {0.5 * block.width_m, -0.5 * block.height_m}}};
    }
    const Pivots& p = *specimen.pivots;
    return {{{-p.radius_left_m * std::sin(p.alpha_left_rad), -p.radius_left_m * std::cos(p.alpha_left_rad)},
             {p.radius_right_m * std::sin(p.alpha_right_rad), -p.radius_right_m * std::cos(p.alpha_right_rad)}}};
}

double inertia_kg_m2(const Specimen& specimen) {
    if (specimen.pivots) return specimen.pivots->inertia_kg_m2;
    const Block& block = specimen.blocks[0];
    return block.mass_kg * (block.width_m * block.width_m + block.height_m * block.height_m) / 12.0;
}

void set_pivots(Specimen& specimen, const std::array<ProfilePoint, 2>& corners, double inertia) {
    const auto &left = corners[0], &right = corners[1];
    specimen.pivots = Pivots{std::atan2(-left[0], -left[1]), std::atan2(right[0], -right[1]),
                             std::hypot(left[0], left[1]), std::hypot(right[0], right[1]), inertia};
}

/// The sizes are those of the block as it is now, the depth is the solid's.
void turn_box(Specimen& specimen) {
    const auto& corners = specimen.solid->corners_m;
    const auto [front, back] = std::minmax_element(
        corners.begin(), corners.end(), [](const SpacePoint& a, const SpacePoint& b) { return a[1] < b[1]; });
    const double depth_m = (*back)[1] - (*front)[1], centre_offset_y_m = -0.5 * ((*back)[1] + (*front)[1]);
    const Foot section = foot_of(box_of(specimen.blocks[0], depth_m, centre_offset_y_m), specimen.yaw_rad).foot;
    set_pivots(specimen, {section.corners_m.front(), section.corners_m.back()}, section.inertia_kg_m2);
}

/// The body's section, which can have other faces than before.
void cut_anew(Specimen& specimen) {
    if (lists_faces(specimen))
        throw std::invalid_argument(
            "yaw_rad: restitution lists the faces one by one, and at another yaw the section of the body has other "
            "faces; allowed: one value for all faces, or no yaw");
    const double overturned_rad = specimen.foot->overturned_rad;
    specimen.foot = foot_of(*specimen.solid, specimen.yaw_rad).foot;
    specimen.foot->overturned_rad = overturned_rad;
}

[[noreturn]] void refuse_seat(double right_m, double left_of_m, double right_of_m) {
    throw std::invalid_argument("seat_m = " + std::to_string(right_m) +
                                ": the mass centre is not over what the body stands on, which reaches " +
                                std::to_string(left_of_m) + " m to its left and " + std::to_string(right_of_m) +
                                " m to its right: allowed: between these");
}

void require_over(const ProfilePoint& left, const ProfilePoint& right, double right_m) {
    if (!(left[0] + right_m < 0.0) || !(right[0] + right_m > 0.0)) refuse_seat(right_m, -left[0], right[0]);
}

/// Lists per face, where one value or none stands for all of them.
void give_every_face_its_own(Restitution& restitution, std::size_t faces) {
    if (restitution.material.size() == 1) restitution.material.assign(faces, restitution.material.front());
    if (restitution.model == RestitutionModel::fixed && restitution.fixed_faces.empty())
        restitution.fixed_faces.assign(faces, {restitution.fixed_left_to_right, restitution.fixed_right_to_left});
}

/// `before` has one entry per face of the unworn foot.
Restitution of_worn_faces(const Restitution& before, const FaceOrigin& origin, const std::vector<FootFace>& faces) {
    Restitution after = before;
    after.material.clear();
    after.fixed_faces.clear();
    for (std::size_t i = 0; i < origin.size(); ++i) {
        after.material.push_back(origin[i] ? before.material.at(*origin[i]) : 1.0);
        if (before.model != RestitutionModel::fixed) continue;
        const auto ratio = [](double geometry) { return std::max(0.0, geometry); };  // above 1 it loses energy, too
        after.fixed_faces.push_back(origin[i]
                                        ? before.fixed_faces.at(*origin[i])
                                        : std::array{ratio(faces[i].left_to_right), ratio(faces[i].right_to_left)});
    }
    return after;
}

}  // namespace

std::size_t face_count(const Specimen& specimen) noexcept {
    if (specimen.blocks.size() != 1) return 0;
    return specimen.foot ? specimen.foot->corners_m.size() - 1 : 1;
}

Solid box_of(const Block& block, double depth_m, double centre_offset_y_m) {
    Solid box;
    for (std::size_t i = 0; i < 8; ++i)  // bit k of i: the far end along axis k
        box.corners_m.push_back({(i & 1 ? 0.5 : -0.5) * block.width_m,
                                 (i & 2 ? 0.5 : -0.5) * depth_m - centre_offset_y_m,
                                 (i & 4 ? 0.5 : -0.5) * block.height_m});
    for (std::size_t i = 0; i < 8; ++i)
        for (const std::size_t bit : {1u, 2u, 4u})
            if (!(i & bit)) box.edges.push_back({i, i | bit});
    box.mass_kg = block.mass_kg;
    const auto moment = [&](double a_m, double b_m) { return block.mass_kg * (a_m * a_m + b_m * b_m) / 12.0; };
    box.inertia_kg_m2 = {moment(depth_m, block.height_m),
                         moment(block.width_m, block.height_m),
                         moment(block.width_m, depth_m),
                         0.0,
                         0.0,
                         0.0};
    return box;
}

bool lists_faces(const Specimen& specimen) noexcept {
    return specimen.foot && (specimen.restitution.material.size() > 1 || !specimen.restitution.fixed_faces.empty());
}

void turn_about_vertical(Specimen& specimen, double yaw_rad) {
    if (yaw_rad == 0.0) return;
    require_single(specimen, "yaw_rad");
    if (specimen.solid) {
        specimen.yaw_rad += yaw_rad;
        specimen.foot ? cut_anew(specimen) : turn_box(specimen);
        return;
    }
    if (!(std::abs(yaw_rad) <= kYawMax_rad))
        throw std::invalid_argument("yaw_rad = " + std::to_string(yaw_rad) + ": allowed: -" +
                                    std::to_string(kYawMax_rad) + " to " + std::to_string(kYawMax_rad));
    const double farther = 1.0 / std::cos(yaw_rad);
    if (specimen.foot) {
        for (ProfilePoint& corner : specimen.foot->corners_m) corner[0] *= farther;
    } else if (specimen.pivots) {
        auto corners = two_corners(specimen);
        for (ProfilePoint& corner : corners) corner[0] *= farther;
        set_pivots(specimen, corners, specimen.pivots->inertia_kg_m2);
    } else {
        specimen.blocks[0].width_m *= farther;
    }
}

void move_corners(Specimen& specimen, double right_m) {
    if (right_m == 0.0) return;
    require_single(specimen, "seat_m");
    if (specimen.foot) {
        auto& corners = specimen.foot->corners_m;
        const std::size_t stands = standing_face(*specimen.foot);
        require_over(corners[stands], corners[stands + 1], right_m);
        for (ProfilePoint& corner : corners) corner[0] += right_m;
        return;
    }
    auto corners = two_corners(specimen);
    require_over(corners[0], corners[1], right_m);
    const double inertia = inertia_kg_m2(specimen);
    for (ProfilePoint& corner : corners) corner[0] += right_m;
    set_pivots(specimen, corners, inertia);
}

FaceOrigin wear_corners(Specimen& specimen, double radius_m) {
    require_single(specimen, "wear_m");
    Restitution& restitution = specimen.restitution;
    if (restitution.model != RestitutionModel::housner && restitution.model != RestitutionModel::fixed)
        throw std::invalid_argument(
            "wear_m: a worn body has a foot, whose restitution is \"housner\" or \"fixed\"; allowed: wear_m = 0, or "
            "one "
            "of these");
    if (!specimen.foot) {
        auto corners = two_corners(specimen);
        corners[0][1] = corners[1][1] = 0.5 * (corners[0][1] + corners[1][1]);
        specimen.foot = Foot{{corners.begin(), corners.end()}, inertia_kg_m2(specimen)};
        specimen.pivots.reset();
    }
    const std::size_t before = specimen.foot->corners_m.size() - 1;
    WornFoot result = worn(*specimen.foot, radius_m);
    specimen.foot = std::move(result.foot);
    if (result.face_before.size() == before && result.face_before.front() && result.face_before.back())
        return result.face_before;  // too little to be wear
    give_every_face_its_own(restitution, before);
    restitution = of_worn_faces(restitution, result.face_before, faces_of(*specimen.foot, specimen.blocks[0].mass_kg));
    return result.face_before;
}

FaceOrigin aligned_faces(const Specimen& described, const Specimen& now) {
    FaceOrigin origin(face_count(now));
    if (!described.foot || !now.foot) {
        if (!origin.empty()) origin.front() = 0;
        return origin;
    }
    const std::size_t was = standing_face(*described.foot), is = standing_face(*now.foot);
    for (std::size_t i = 0; i < origin.size(); ++i)
        if (i + was >= is && i + was - is < face_count(described)) origin[i] = i + was - is;
    return origin;
}

}  // namespace topple::solver
