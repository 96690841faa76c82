#include "solver/study/perturbation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace topple::solver {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): every seed gives a good sequence.
class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t state) noexcept : state_(state) {}

    std::uint64_t next() noexcept {
        state_ += 0x9E3779B97F4A7C15ull;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ull;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBull;
        return mixed ^ (mixed >> 31);
    }

    /// Uniform in (0, 1): 53 bits, the middle of each cell.
    double uniform() noexcept { return (static_cast<double>(next() >> 11) + 0.5) * 0x1.0p-53; }

  private:
    std::uint64_t state_;
};

/// Two independent standard normal draws (Box-Muller), cut at +-4.
std::array<double, 2> normal_pair(SplitMix64& random) noexcept {
    constexpr double kCut = 4.0;
    const double radius = std::sqrt(-2 * std::log(random.uniform()));
    const double angle_rad = 2 * std::numbers::pi * random.uniform();
    return {std::clamp(radius * std::cos(angle_rad), -kCut, kCut),
            std::clamp(radius * std::sin(angle_rad), -kCut, kCut)};
}

void scale_restitution(Specimen& specimen, double factor) {
    Restitution& restitution = specimen.restitution;
    const auto scaled = [factor](double ratio) { return std::clamp(ratio * factor, 0.0, 1.0); };
    if (specimen.blocks.size() == 1 && !specimen.pivots && restitution.model != RestitutionModel::fixed) {
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
