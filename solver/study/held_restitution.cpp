#include "solver/study/held_restitution.hpp"

#include <algorithm>

#include "solver/foot_energy.hpp"

namespace topple::solver {
namespace {

constexpr double kAtLimit = 1.0 - 1e-12;  // rounding of the limit

bool any_face_held(const Specimen& member) {
    const auto& ratios = member.restitution.fixed_faces;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        const auto lossless = lossless_ratios(*member.foot, member.blocks[0].mass_kg, i);
        if (ratios[i][0] >= kAtLimit * lossless[0] || ratios[i][1] >= kAtLimit * lossless[1]) return true;
    }
    return false;
}

}  // namespace

bool restitution_is_held(const Specimen& specimen, const Perturbation& perturbation) {
    const auto& of_faces = perturbation.face_factors;
    const double largest = of_faces.empty() ? 1.0 : *std::max_element(of_faces.begin(), of_faces.end());
    const double factor = perturbation.restitution_factor * largest;
    if (specimen.blocks.empty() || !(factor > 1.0)) return false;
    const Specimen member = perturbed(specimen, perturbation);
    if (member.foot) return any_face_held(member);
    if (member.blocks.size() > 1) {
        const auto& material = specimen.restitution.material;
        return std::any_of(material.begin(), material.end(), [factor](double m) { return m * factor > 1.0; });
    }
    const std::vector<double> ratios = restitution_ratios(member);
    return std::any_of(ratios.begin(), ratios.end(), [](double ratio) { return ratio >= kAtLimit; });
}

}  // namespace topple::solver
