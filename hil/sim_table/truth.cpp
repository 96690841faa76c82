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

namespace {

constexpr std::uint64_t kPlacementStream = 11;

// What differs from one placement of a campaign to the next.
void place(TruthReport& report, const experiment::Experiment& experiment) {
    const double sigma_rad = experiment.simulation.placement_tilt_rad;
    if (sigma_rad == 0.0) return;
    Noise noise(noise_seed(experiment), kPlacementStream);
    for (solver::Perturbation& specimen : report.specimens) specimen.tilt_rad += sigma_rad * noise.normal();
}

TruthReport lasting_truth(const experiment::Experiment& experiment) {
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

}  // namespace

std::uint64_t noise_seed(const experiment::Experiment& experiment) noexcept {
    constexpr std::uint64_t kApart = 0x9e3779b97f4a7c15;  // odd, far from small: neighbouring seeds stay apart
    return experiment.simulation.seed + kApart * experiment.campaign_test;
}

TruthReport truth(const experiment::Experiment& experiment) {
    TruthReport report = lasting_truth(experiment);
    place(report, experiment);
    return report;
}

std::vector<solver::Specimen> true_specimens(const experiment::Experiment& experiment, const TruthReport& report) {
    std::vector<solver::Specimen> specimens;
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i)
        specimens.push_back(solver::perturbed(experiment.specimens[i], report.specimens.at(i)));
    return specimens;
}

}  // namespace topple::hil::sim_table
