// Simulated runs of B6L whose truth is known, as evidence for learning.
#pragma once

#include <filesystem>
#include <string>

#include "hil/learn/learning.hpp"
#include "tests/support/synthetic_run.hpp"

namespace topple::tests {

/// Departures of the block that stood there from the one described.
struct TaughtTruth {
    double restitution = 0.0, width = 0.0, tilt_rad = 0.0;
};

/// A short recording of the single sine with its accelerations times `amplitude_ratio`, in a folder of its own.
inline std::filesystem::path taught_run(const TaughtTruth& truth, const std::string& name, std::uint32_t seed = 1,
                                        double amplitude_ratio = 1.0) {
    SyntheticRun run{.experiment = b6l_sine()};
    run.restitution_factor = 1.0 + truth.restitution;
    run.width_factor = 1.0 + truth.width;
    run.tilt_rad = truth.tilt_rad;
    run.scale = amplitude_ratio;
    run.recorded_s = 3.0;
    run.seed = seed;
    return write_run_folder(run, "taught_" + name);
}

/// A release of the same block from 0.15 rad on a platen at rest.
inline std::filesystem::path taught_release(const TaughtTruth& truth, const std::string& name, std::uint32_t seed) {
    SyntheticRun run{.experiment = example("free_rocking.toml")};
    run.restitution_factor = 1.0 + truth.restitution;
    run.width_factor = 1.0 + truth.width;
    run.tilt_rad = truth.tilt_rad;
    run.recorded_s = 5.0;
    run.seed = seed;
    return write_run_folder(run, "taught_" + name);
}

/// As few draws as a test needs.
inline hil::learn::LearningRequest request_of(const std::vector<std::filesystem::path>& folders) {
    hil::learn::LearningRequest request;
    for (const auto& folder : folders) request.runs.push_back(hil::learn::read_evidence(folder));
    request.prior = request.runs.front().experiment.uncertainty.of;
    request.prior_source = "as described";
    request.sampling.draws_per_stage = 120;
    request.sampling.enough = 120.0;
    return request;
}

inline const hil::learn::LearnedParameter& parameter_of(const hil::learn::Learning& learning,
                                                        solver::SpecimenParameter parameter) {
    for (const auto& one : learning.parameters)
        if (one.parameter == parameter) return one;
    throw std::logic_error("not a parameter of this fit");
}

}  // namespace topple::tests
