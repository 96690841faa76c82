#include "hil/sim_table/truth.hpp"

#include <cstddef>

#include "hil/sim_table/noise.hpp"

namespace topple::hil::sim_table {

namespace {

constexpr std::uint64_t kTruthStream = 1;

}  // namespace

std::string_view name(TruthReport::Origin origin) noexcept {
    switch (origin) {
        case TruthReport::Origin::drawn: return "drawn";
        case TruthReport::Origin::exact: return "exact";
        case TruthReport::Origin::given: return "given";
    }
    return "?";
}

TruthReport truth(const experiment::Experiment& experiment) {
    const experiment::Truth& asked = experiment.simulation.truth;
    TruthReport report;
    report.seed = experiment.simulation.seed;
    report.specimens.resize(experiment.specimens.size());
    if (asked.exact) return report;
    if (asked.restitution_factor || asked.tilt_rad || asked.width_factor) {
        report.origin = TruthReport::Origin::given;
        for (solver::Perturbation& s : report.specimens)
            s = {asked.restitution_factor.value_or(1.0),
                 {asked.width_factor.value_or(1.0)},
                 asked.tilt_rad.value_or(0.0)};
        return report;
    }
    report.origin = TruthReport::Origin::drawn;
    Noise noise(report.seed, kTruthStream);
    for (std::size_t i = 0; i < report.specimens.size(); ++i) {
        solver::Perturbation& s = report.specimens[i];
        s.restitution_factor = 1.0 + kTruthRestitutionSigma_ratio * noise.normal();
        s.tilt_rad = kTruthTilt_rad * noise.normal();
        for (std::size_t foot = 0; foot < solver::foot_count(experiment.specimens[i]); ++foot)
            s.width_factors.push_back(1.0 + kTruthWidthSigma_ratio * noise.normal());
    }
    return report;
}

std::vector<solver::Specimen> true_specimens(const experiment::Experiment& experiment, const TruthReport& report) {
    std::vector<solver::Specimen> specimens;
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i)
        specimens.push_back(solver::perturbed(experiment.specimens[i], report.specimens.at(i)));
    return specimens;
}

}  // namespace topple::hil::sim_table
