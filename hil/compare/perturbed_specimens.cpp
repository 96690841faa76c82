#include <algorithm>
#include <cmath>

#include "hil/compare/agreement.hpp"

namespace topple::hil {
namespace {

using solver::Specimen;

// Single bodies get the scaled ratio itself (a material factor may not exceed 1), stacks a scaled material factor.
Specimen with_restitution(Specimen specimen, double factor) {
    solver::Restitution& restitution = specimen.restitution;
    if (specimen.blocks.size() == 1) {
        const double model = restitution.model == solver::RestitutionModel::fixed ? 0.0
                                                                                   : solver::restitution_ratios(specimen).front();
        if (restitution.model != solver::RestitutionModel::fixed) {
            if (model <= 0.0) return specimen;
            restitution.fixed_left_to_right = restitution.fixed_right_to_left = model;
        }
        restitution.model = solver::RestitutionModel::fixed;
        restitution.material = {1.0};
        restitution.fixed_left_to_right = std::min(1.0, factor * restitution.fixed_left_to_right);
        restitution.fixed_right_to_left = std::min(1.0, factor * restitution.fixed_right_to_left);
        return specimen;
    }
    for (double& material : restitution.material) material = std::min(1.0, factor * material);
    return specimen;
}

Specimen with_tilt(Specimen specimen, double tilt_rad) {
    specimen.initial_tilt_rad += tilt_rad;
    return specimen;
}

Specimen with_width(Specimen specimen, double factor) {
    for (solver::Block& block : specimen.blocks) block.width_m *= factor;
    if (specimen.pivots) {
        specimen.pivots->alpha_left_rad = std::atan(factor * std::tan(specimen.pivots->alpha_left_rad));
        specimen.pivots->alpha_right_rad = std::atan(factor * std::tan(specimen.pivots->alpha_right_rad));
    }
    return specimen;
}

}  // namespace

std::vector<Specimen> perturbed_specimens(const Specimen& specimen, const ParameterUncertainty& uncertainty) {
    return {with_restitution(specimen, 1.0 - uncertainty.restitution_ratio),
            with_restitution(specimen, 1.0 + uncertainty.restitution_ratio),
            with_tilt(specimen, -uncertainty.tilt_rad),
            with_tilt(specimen, uncertainty.tilt_rad),
            with_width(specimen, 1.0 - uncertainty.width_ratio),
            with_width(specimen, 1.0 + uncertainty.width_ratio)};
}

Slenderness slenderness_of(const Specimen& specimen) {
    if (specimen.pivots) return {specimen.pivots->alpha_left_rad, specimen.pivots->alpha_right_rad};
    const double alpha_rad = specimen.blocks.empty() ? 0.0 : specimen.blocks.front().slenderness_rad();
    return {alpha_rad, alpha_rad};
}

std::optional<solver::Side> predicted_side(const PredictedRotation& predicted, const EvenGrid& grid) {
    for (std::size_t i = 0; i < grid.count; ++i)
        for (const std::vector<double>& block : predicted.filtered_rad)
            if (grid.time_s(i) >= 0.0 && std::abs(block[i]) > kRotationFloor_rad)
                return block[i] > 0.0 ? solver::Side::right : solver::Side::left;
    return std::nullopt;
}

}  // namespace topple::hil
