// Do the stated intervals hold the truth as often as they say?
#include <fmt/format.h>

#include "solver/numerics/random_sequence.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/support/taught_runs.hpp"

using namespace topple;
using namespace topple::tests;
using hil::learn::LearnedParameter;
using hil::learn::Learning;
using solver::SpecimenParameter;

namespace {

/// One draw of the prior that an experiment has without [uncertainty].
TaughtTruth drawn_truth(solver::SplitMix64& random) {
    const auto [restitution, width] = solver::normal_pair(random);
    return {0.015 * restitution, 0.005 * width, 0.002 * solver::normal_pair(random)[0]};
}

int inside(const Learning& learning, const TaughtTruth& truth) {
    const auto holds = [&](SpecimenParameter parameter, double value) {
        const LearnedParameter& one = parameter_of(learning, parameter);
        return one.low <= value && value <= one.high ? 1 : 0;
    };
    return holds(SpecimenParameter::restitution, truth.restitution) + holds(SpecimenParameter::width, truth.width) +
           holds(SpecimenParameter::tilt_rad, truth.tilt_rad);
}

constexpr int kTrials = 20;
// 90 % of 60 intervals are 54; three standard deviations of their number, sqrt(60 x 0.9 x 0.1), are 7.
constexpr int kLeast = 47;
constexpr int kModelTrials = 12;
// The same of 36: 32.4 less 5.4. All 36 have a probability of 2 %.
constexpr int kModelLeast = 27;

}  // namespace

TEST_CASE("the 90 % intervals of 20 simulated runs hold their hidden truths, and are narrow") {
    // Sensors and platen are better than the error model, so that more than 90 % is right here; fewer is not.
    RandomRuns runs(20, kTrials);
    int held = 0, narrow = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        solver::SplitMix64 random(runs.seed(trial));
        const TaughtTruth truth = drawn_truth(random);
        const auto folder = taught_run(truth, fmt::format("coverage_{}", trial), static_cast<std::uint32_t>(trial + 1));
        const Learning learning = learn(request_of({folder}));
        held += inside(learning, truth);
        narrow += parameter_of(learning, SpecimenParameter::restitution).deviation < 0.5 * 0.015 ? 1 : 0;
    }
    CHECK(held >= kLeast);
    CHECK(narrow >= kTrials / 2);  // not the prior again, which would hold 90 % as well
}

TEST_CASE("measurements drawn from the error model are covered by 90 % intervals nine times of ten") {
    RandomRuns runs(7, kModelTrials);
    hil::learn::LearningRequest request = request_of({taught_run({}, "coverage_model")});
    hil::learn::RunEvidence& run = request.runs.front();
    run.features.resize(4);  // so many count as independent, so that no power is taken of the likelihood
    int held = 0;
    for (int trial = 0; trial < kModelTrials; ++trial) {
        solver::SplitMix64 random(runs.seed(trial));
        const TaughtTruth truth = drawn_truth(random);
        const solver::Perturbation perturbation{1.0 + truth.restitution, {1.0 + truth.width}, truth.tilt_rad};
        const double motion = 1.0 + hil::learn::kMotionError_ratio * solver::normal_pair(random)[0];
        const auto shown = explain(run, solver::perturbed(run.specimen(), perturbation), motion);
        for (std::size_t i = 0; i < run.features.size(); ++i)
            run.features[i].value =
                shown.features.at(i).value() + run.features[i].error * solver::normal_pair(random)[0];
        held += inside(learn(request), truth);
    }
    CHECK(held >= kModelLeast);
    CHECK(held < 3 * kModelTrials);
}
