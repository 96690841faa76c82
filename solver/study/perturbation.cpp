#include "solver/study/perturbation.hpp"

#include <algorithm>

#include "solver/random_sequence.hpp"

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

}  // namespace

Specimen perturbed(const Specimen& specimen, const Perturbation& perturbation) {
    Specimen changed = specimen;
    for (Block& block : changed.blocks) block.width_m *= perturbation.width_factor;
    if (changed.pivots) {
        changed.pivots->alpha_left_rad *= perturbation.width_factor;
        changed.pivots->alpha_right_rad *= perturbation.width_factor;
    }
    if (perturbation.restitution_factor != 1.0) scale_restitution(changed, perturbation.restitution_factor);
    changed.initial_tilt_rad += perturbation.tilt_rad;
    validate(changed);
    return changed;
}

Perturbation ensemble_member(const PerturbationSpread& spread, std::uint64_t seed, std::uint64_t index) noexcept {
    // The seed goes through the generator once so that neighbouring seeds and indices do not share sequences.
    SplitMix64 random(SplitMix64(seed).next() ^ (index * 0xD1342543DE82EF95ull));
    const auto [restitution, width] = normal_pair(random);
    const double tilt = normal_pair(random)[0];
    return {1 + spread.restitution_ratio * restitution, 1 + spread.width_ratio * width, spread.tilt_rad * tilt};
}

}  // namespace topple::solver
