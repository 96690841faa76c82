#include "hil/learn/open_parameters.hpp"

#include "hil/experiment/learned_prior.hpp"

namespace topple::hil::learn {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using solver::Distribution;
using solver::DistributionKind;
using solver::SpecimenParameter;

}  // namespace

bool is_open(const Distribution& distribution) noexcept {
    return distribution.kind != DistributionKind::fixed && distribution.spread > 0.0;
}

bool has_friction(const solver::Specimen& specimen) noexcept {
    return specimen.friction.has_value() || !specimen.interface_friction.empty();
}

solver::StandardDraw OpenParameters::standard(const VectorXd& draw) const {
    solver::StandardDraw all{};
    for (Index i = 0; i < count(); ++i) all[static_cast<std::size_t>(parameters[i])] = draw[i];
    return all;
}

OpenParameters open_parameters(const solver::Uncertainty& prior, const solver::Specimen& specimen) {
    OpenParameters open{{}, prior};
    const bool has_one_foot = solver::foot_count(specimen) == 1;
    for (const SpecimenParameter parameter : experiment::kLearnable) {
        const bool is_size = parameter == SpecimenParameter::width || parameter == SpecimenParameter::height;
        const bool is_k = parameter == SpecimenParameter::impulse_position;
        if ((is_size && !has_one_foot) || (parameter == SpecimenParameter::friction && !has_friction(specimen)) ||
            (is_k && specimen.restitution.model != solver::RestitutionModel::improved))
            continue;
        if (is_open(distribution_of(prior, parameter))) open.parameters.push_back(parameter);
    }
    return open;
}

solver::Specimen specimen_at(const solver::Specimen& described, const OpenParameters& open, const VectorXd& draw,
                             std::size_t number) {
    const std::size_t feet = solver::foot_count(described);
    solver::Perturbation perturbation = solver::perturbation_at(open.prior, open.standard(draw));
    if (feet > 1) {
        constexpr std::uint64_t kOfFeet = 0x66656574;
        const auto member = solver::draw_member(open.prior, kOfFeet, number, feet).perturbation;
        perturbation.width_factors = member.width_factors;
        perturbation.height_factors = member.height_factors;
    }
    return solver::perturbed(described, perturbation);
}

}  // namespace topple::hil::learn
