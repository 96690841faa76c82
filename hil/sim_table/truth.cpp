#include "hil/sim_table/truth.hpp"

#include <algorithm>
#include <cmath>

#include "hil/sim_table/noise.hpp"

namespace topple::hil {

namespace {

constexpr std::uint64_t kTruthStream = 1;

/// Wider feet at the same height of the mass centre: R cos(alpha) stays, R sin(alpha) is scaled.
void widen(double& alpha_rad, double& radius_m, double factor) {
    const double height = radius_m * std::cos(alpha_rad), width = radius_m * std::sin(alpha_rad) * factor;
    alpha_rad = std::atan2(width, height);
    radius_m = std::hypot(width, height);
}

double at_most_one(double ratio) { return std::min(ratio, 1.0); }

void scale_restitution(solver::Specimen& specimen, double factor) {
    auto& restitution = specimen.restitution;
    if (restitution.model == solver::RestitutionModel::random) {
        restitution.random_mean = std::clamp(solver::restitution_ratios(specimen).at(0) * factor, 1e-6, 1.0 - 1e-6);
        return;
    }
    if (specimen.blocks.size() == 1 && restitution.model != solver::RestitutionModel::fixed && !specimen.pivots) {
        const double eta = at_most_one(solver::restitution_ratios(specimen).at(0) * factor);
        restitution = {};
        restitution.model = solver::RestitutionModel::fixed;
        restitution.fixed_left_to_right = restitution.fixed_right_to_left = eta;
        return;
    }
    if (restitution.model == solver::RestitutionModel::fixed) {
        restitution.fixed_left_to_right = at_most_one(restitution.fixed_left_to_right * factor);
        restitution.fixed_right_to_left = at_most_one(restitution.fixed_right_to_left * factor);
        return;
    }
    for (double& material : restitution.material) material = at_most_one(material * factor);
}

}  // namespace

std::string_view name(TruthReport::Origin origin) noexcept {
    switch (origin) {
        case TruthReport::Origin::drawn: return "drawn";
        case TruthReport::Origin::exact: return "exact";
        case TruthReport::Origin::given: return "given";
    }
    return "?";
}

TruthReport truth(const Experiment& experiment) {
    const Truth& asked = experiment.simulation.truth;
    TruthReport report;
    report.seed = experiment.simulation.seed;
    report.specimens.resize(experiment.specimens.size());
    if (asked.exact) return report;
    if (asked.restitution_factor || asked.tilt_rad || asked.width_factor) {
        report.origin = TruthReport::Origin::given;
        for (SpecimenTruth& s : report.specimens)
            s = {asked.restitution_factor.value_or(1.0), asked.tilt_rad.value_or(0.0),
                 asked.width_factor.value_or(1.0)};
        return report;
    }
    report.origin = TruthReport::Origin::drawn;
    Noise noise(report.seed, kTruthStream);
    for (SpecimenTruth& s : report.specimens) {
        s.restitution_factor = 1.0 + kTruthRestitutionSigma_ratio * noise.normal();
        s.tilt_rad = kTruthTilt_rad * noise.normal();
        s.width_factor = 1.0 + kTruthWidthSigma_ratio * noise.normal();
    }
    return report;
}

solver::Specimen differing(const solver::Specimen& specimen, const SpecimenTruth& truth) {
    solver::Specimen other = specimen;
    if (other.blocks.empty()) return other;
    if (truth.restitution_factor != 1.0) scale_restitution(other, truth.restitution_factor);
    other.initial_tilt_rad += truth.tilt_rad;
    for (solver::Block& block : other.blocks) block.width_m *= truth.width_factor;
    if (other.pivots && truth.width_factor != 1.0) {
        widen(other.pivots->alpha_left_rad, other.pivots->radius_left_m, truth.width_factor);
        widen(other.pivots->alpha_right_rad, other.pivots->radius_right_m, truth.width_factor);
    }
    return other;
}

std::vector<solver::Specimen> true_specimens(const Experiment& experiment, const TruthReport& report) {
    std::vector<solver::Specimen> specimens;
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i)
        specimens.push_back(differing(experiment.specimens[i], report.specimens.at(i)));
    return specimens;
}

}  // namespace topple::hil
