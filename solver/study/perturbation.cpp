#include "solver/study/perturbation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "solver/numerics/random_sequence.hpp"

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

/// Wider feet at the same height of the mass centre.
void widen(double& alpha_rad, double& radius_m, double factor) {
    if (factor == 1.0) return;
    const double height_m = radius_m * std::cos(alpha_rad), width_m = radius_m * std::sin(alpha_rad) * factor;
    alpha_rad = std::atan2(width_m, height_m);
    radius_m = std::hypot(width_m, height_m);
}

void scale_widths(Specimen& specimen, const std::vector<double>& factors) {
    const auto factor = [&](std::size_t foot) { return factors[factors.size() == 1 ? 0 : foot]; };
    if (specimen.pivots) {
        widen(specimen.pivots->alpha_left_rad, specimen.pivots->radius_left_m, factor(0));
        widen(specimen.pivots->alpha_right_rad, specimen.pivots->radius_right_m, factor(1));
        return;
    }
    for (std::size_t i = 0; i < specimen.blocks.size(); ++i) {
        double& width_m = specimen.blocks[i].width_m;
        width_m *= factor(i);
        if (i > 0) width_m = std::min(width_m, specimen.blocks[i - 1].width_m);
    }
}

}  // namespace

std::size_t foot_count(const Specimen& specimen) noexcept { return specimen.pivots ? 2 : specimen.blocks.size(); }

Specimen perturbed(const Specimen& specimen, const Perturbation& perturbation) {
    Specimen changed = specimen;
    if (changed.blocks.empty()) return changed;
    const std::size_t given = perturbation.width_factors.size();
    if (given > 1 && given != foot_count(changed))
        throw std::invalid_argument("width_factors: " + std::to_string(given) + " values given, allowed: 1 or " +
                                    std::to_string(foot_count(changed)));
    if (given > 0) scale_widths(changed, perturbation.width_factors);
    if (perturbation.restitution_factor != 1.0) scale_restitution(changed, perturbation.restitution_factor);
    changed.initial_tilt_rad += perturbation.tilt_rad;
    validate(changed);
    return changed;
}

Perturbation ensemble_member(const PerturbationSpread& spread, std::uint64_t seed, std::uint64_t index,
                             std::size_t feet) {
    // The seed goes through the generator once so that neighbouring seeds and indices do not share sequences.
    SplitMix64 random(SplitMix64(seed).next() ^ (index * 0xD1342543DE82EF95ull));
    const auto [restitution, width] = normal_pair(random);
    const double tilt = normal_pair(random)[0];
    Perturbation member{1 + spread.restitution_ratio * restitution, {}, spread.tilt_rad * tilt};
    for (std::size_t foot = 0; foot < feet; ++foot)
        member.width_factors.push_back(1 + spread.width_ratio * (foot == 0 ? width : normal_pair(random)[0]));
    return member;
}

}  // namespace topple::solver
