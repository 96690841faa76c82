#include "solver/study/perturbation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "solver/study/standing_pose.hpp"

namespace topple::solver {
namespace {

double scaled(double ratio, double factor) { return std::clamp(ratio * factor, 0.0, 1.0); }

/// Every ratio of a foot as it is, geometry and material together, times the factor of its face.
void scale_faces(Specimen& specimen, const std::vector<double>& factor) {
    Restitution& restitution = specimen.restitution;
    const bool given = restitution.model == RestitutionModel::fixed;
    const std::vector<FootFace> faces = faces_of(*specimen.foot, specimen.blocks[0].mass_kg);
    std::vector<std::array<double, 2>> ratios;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const double material = restitution.material.at(restitution.material.size() == 1 ? 0 : i);
        std::array<double, 2> ratio{material * faces[i].left_to_right, material * faces[i].right_to_left};
        if (given) ratio = {restitution.fixed_left_to_right, restitution.fixed_right_to_left};
        if (given && !restitution.fixed_faces.empty()) ratio = restitution.fixed_faces.at(i);
        ratios.push_back({scaled(ratio[0], factor[i]), scaled(ratio[1], factor[i])});
    }
    restitution = Restitution{};
    restitution.model = RestitutionModel::fixed;
    restitution.fixed_faces = std::move(ratios);
}

/// A block and a body with two pivots: in each direction the ratio of that direction times the factor.
void scale_single(Specimen& specimen, double factor) {
    Restitution& restitution = specimen.restitution;
    if (restitution.model == RestitutionModel::random) {
        restitution.random_mean = std::clamp(restitution_ratios(specimen).front() * factor, 1e-6, 1.0 - 1e-6);
        return;
    }
    std::array<double, 2> ratio{restitution.fixed_left_to_right, restitution.fixed_right_to_left};
    if (restitution.model != RestitutionModel::fixed) {
        const std::vector<double> of_law = restitution_ratios(specimen);
        ratio = {of_law.front(), of_law.back()};
        restitution = Restitution{};
        restitution.model = RestitutionModel::fixed;
    }
    restitution.fixed_left_to_right = scaled(ratio[0], factor);
    restitution.fixed_right_to_left = scaled(ratio[1], factor);
}

/// `origin` of every face of a single body.
void scale_restitution(Specimen& specimen, const Perturbation& by, const FaceOrigin& origin) {
    if (origin.empty()) {
        for (double& material : specimen.restitution.material) material = scaled(material, by.restitution_factor);
        return;
    }
    std::vector<double> factor(origin.size(), 1.0);
    for (std::size_t i = 0; i < origin.size(); ++i)
        if (origin[i])
            factor[i] = by.restitution_factor * (by.face_factors.empty() ? 1.0 : by.face_factors[*origin[i]]);
    if (std::all_of(factor.begin(), factor.end(), [](double one) { return one == 1.0; })) return;
    specimen.foot ? scale_faces(specimen, factor) : scale_single(specimen, factor.front());
}

/// Wider feet, and a mass centre that is higher over them.
void stretch(double& alpha_rad, double& radius_m, double width_factor, double height_factor) {
    if (width_factor == 1.0 && height_factor == 1.0) return;
    const double height_m = radius_m * std::cos(alpha_rad) * height_factor;
    const double width_m = radius_m * std::sin(alpha_rad) * width_factor;
    alpha_rad = std::atan2(width_m, height_m);
    radius_m = std::hypot(width_m, height_m);
}

/// Each side of a foot about the mass centre, and the mass centre higher over the face on which it stands.
void stretch(Foot& foot, double left_factor, double right_factor, double height_factor) {
    const double raised_m = foot.corners_m[standing_face(foot)][1] * (height_factor - 1.0);
    for (ProfilePoint& corner : foot.corners_m) {
        corner[0] *= corner[0] < 0.0 ? left_factor : right_factor;
        corner[1] += raised_m;
    }
}

/// Of one foot; 1 where none are given.
double factor_of(const std::vector<double>& factors, std::size_t foot) {
    if (factors.empty()) return 1.0;
    return factors[factors.size() == 1 ? 0 : foot];
}

void scale_shape(Specimen& specimen, const Perturbation& by) {
    const auto width = [&](std::size_t foot) { return factor_of(by.width_factors, foot); };
    const auto height = [&](std::size_t foot) { return factor_of(by.height_factors, foot); };
    if (specimen.foot) {
        stretch(*specimen.foot, width(0), width(1), height(0));
        return;
    }
    if (specimen.pivots) {
        stretch(specimen.pivots->alpha_left_rad, specimen.pivots->radius_left_m, width(0), height(0));
        stretch(specimen.pivots->alpha_right_rad, specimen.pivots->radius_right_m, width(1), height(1));
        return;
    }
    double width_below_m = 0.0;  // as described
    for (std::size_t i = 0; i < specimen.blocks.size(); ++i) {
        Block& block = specimen.blocks[i];
        const bool was_narrower = i > 0 && block.width_m <= width_below_m;
        width_below_m = block.width_m;
        block.height_m *= height(i);
        block.width_m *= width(i);
        if (was_narrower) block.width_m = std::min(block.width_m, specimen.blocks[i - 1].width_m);
    }
}

void require_one_per_foot(const char* what, const std::vector<double>& factors, std::size_t feet) {
    if (factors.size() > 1 && factors.size() != feet)
        throw std::invalid_argument(std::string(what) + ": " + std::to_string(factors.size()) +
                                    " values given, allowed: 1 or " + std::to_string(feet));
}

}  // namespace

std::size_t foot_count(const Specimen& specimen) noexcept {
    return specimen.pivots || specimen.foot ? 2 : specimen.blocks.size();
}

Specimen perturbed(const Specimen& specimen, const Perturbation& perturbation) {
    Specimen changed = specimen;
    if (changed.blocks.empty()) return changed;
    require_one_per_foot("width_factors", perturbation.width_factors, foot_count(changed));
    require_one_per_foot("height_factors", perturbation.height_factors, foot_count(changed));
    if (!perturbation.face_factors.empty() && perturbation.face_factors.size() != face_count(specimen))
        throw std::invalid_argument("face_factors: " + std::to_string(perturbation.face_factors.size()) +
                                    " values given, allowed: none or " + std::to_string(face_count(specimen)));
    turn_about_vertical(changed, perturbation.yaw_rad);
    scale_shape(changed, perturbation);
    move_corners(changed, perturbation.seat_m);
    FaceOrigin origin = aligned_faces(specimen, changed);
    if (perturbation.wear_m != 0.0) {
        const FaceOrigin unworn = std::exchange(origin, wear_corners(changed, perturbation.wear_m));
        for (auto& face : origin) face = face ? unworn.at(*face) : std::nullopt;
    }
    changed.restitution.impulse_position_k *= perturbation.impulse_position_factor;
    if (changed.friction) {
        changed.friction->static_ratio *= perturbation.friction_factor;
        changed.friction->kinetic_ratio *= perturbation.friction_factor;
    }
    for (Friction& friction : changed.interface_friction) {
        friction.static_ratio *= perturbation.friction_factor;
        friction.kinetic_ratio *= perturbation.friction_factor;
    }
    scale_restitution(changed, perturbation, origin);
    changed.initial_tilt_rad += perturbation.tilt_rad;
    validate(changed);
    return changed;
}

}  // namespace topple::solver
