#include "solver/study/perturbation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace topple::solver {
namespace {

void scale_restitution(Specimen& specimen, double factor) {
    Restitution& restitution = specimen.restitution;
    const auto scaled = [factor](double ratio) { return std::clamp(ratio * factor, 0.0, 1.0); };
    if (restitution.model == RestitutionModel::random) {
        restitution.random_mean = std::clamp(restitution_ratios(specimen).front() * factor, 1e-6, 1.0 - 1e-6);
    } else if (specimen.blocks.size() == 1 && !specimen.pivots && restitution.model != RestitutionModel::fixed) {
        const double ratio = scaled(restitution_ratios(specimen).front());
        restitution = Restitution{};
        restitution.model = RestitutionModel::fixed;
        restitution.fixed_left_to_right = restitution.fixed_right_to_left = ratio;
    } else if (restitution.model == RestitutionModel::fixed) {
        restitution.fixed_left_to_right = scaled(restitution.fixed_left_to_right);
        restitution.fixed_right_to_left = scaled(restitution.fixed_right_to_left);
    } else {
        for (double& material : restitution.material) material = scaled(material);
    }
}

/// Wider feet, and a mass centre that is higher over them.
void stretch(double& alpha_rad, double& radius_m, double width_factor, double height_factor) {
    if (width_factor == 1.0 && height_factor == 1.0) return;
    const double height_m = radius_m * std::cos(alpha_rad) * height_factor;
    const double width_m = radius_m * std::sin(alpha_rad) * width_factor;
    alpha_rad = std::atan2(width_m, height_m);
    radius_m = std::hypot(width_m, height_m);
}

/// Of one foot; 1 where none are given.
double factor_of(const std::vector<double>& factors, std::size_t foot) {
    if (factors.empty()) return 1.0;
    return factors[factors.size() == 1 ? 0 : foot];
}

void scale_shape(Specimen& specimen, const Perturbation& by) {
    const auto width = [&](std::size_t foot) { return factor_of(by.width_factors, foot); };
    const auto height = [&](std::size_t foot) { return factor_of(by.height_factors, foot); };
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

std::size_t foot_count(const Specimen& specimen) noexcept { return specimen.pivots ? 2 : specimen.blocks.size(); }

Specimen perturbed(const Specimen& specimen, const Perturbation& perturbation) {
    Specimen changed = specimen;
    if (changed.blocks.empty()) return changed;
    require_one_per_foot("width_factors", perturbation.width_factors, foot_count(changed));
    require_one_per_foot("height_factors", perturbation.height_factors, foot_count(changed));
    scale_shape(changed, perturbation);
    changed.restitution.impulse_position_k *= perturbation.impulse_position_factor;
    if (changed.friction) {
        changed.friction->static_ratio *= perturbation.friction_factor;
        changed.friction->kinetic_ratio *= perturbation.friction_factor;
    }
    for (Friction& friction : changed.interface_friction) {
        friction.static_ratio *= perturbation.friction_factor;
        friction.kinetic_ratio *= perturbation.friction_factor;
    }
    if (perturbation.restitution_factor != 1.0) scale_restitution(changed, perturbation.restitution_factor);
    changed.initial_tilt_rad += perturbation.tilt_rad;
    validate(changed);
    return changed;
}

}  // namespace topple::solver
