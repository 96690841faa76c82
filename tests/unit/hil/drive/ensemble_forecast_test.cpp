// The ensemble beside a test: what its probabilities say, and what a rotation sensor does to its weights.
#include "hil/drive/ensemble_forecast.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "hil/drive/forecast_budget.hpp"
#include "hil/drive/forecast_trial.hpp"
#include "hil/drive/member_weights.hpp"
#include "hil/plan/ensemble.hpp"
#include "solver/predict.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple;
using namespace topple::hil;
using namespace topple::hil::drive;

namespace {

const solver::BaseMotion kWave = solver::sine_acceleration(2.62, 14.0);  // not every member falls

double sum_of(const run_log::Forecast& forecast) {
    return std::accumulate(forecast.probability.begin(), forecast.probability.end(), 0.0);
}

ForecastTrial trial_of(const solver::Specimen& described) {
    ForecastTrial trial;
    trial.described = described;
    trial.planned = trial.achieved = kWave;
    trial.members.in_lanes = trial.members.in_lanes_ahead = 400;
    trial.members.uncertainty.of.restitution.spread = 0.05;
    trial.members.uncertainty.of.width.spread = 0.02;
    trial.members.uncertainty.of.amplitude.spread = 0.0;
    return trial;
}

solver::Specimen drawn(const ForecastTrial& trial, std::size_t index) {
    return plan::draw_member(trial.described, trial.members.uncertainty, index, plan::MotionIs::measured).specimen;
}

bool falls(const solver::Specimen& specimen) {
    return solver::is_overturning(solver::predict(specimen, kWave).outcome);
}

}  // namespace

TEST_CASE("weights follow Bayes' rule and tell how many members they are worth") {
    MemberWeights weights(4);
    CHECK(weights.effective_count() == Approx(4.0));
    weights.multiply(std::array{0.0, std::log(3.0), -1e9, -1e9});
    CHECK(weights.values()[0] == Approx(0.25));
    CHECK(weights.values()[1] == Approx(0.75));
    CHECK(weights.effective_count() == Approx(1.6));
    CHECK(weights.drawn(8) == std::vector<std::size_t>{0, 0, 1, 1, 1, 1, 1, 1});
    weights.make_equal(4);
    CHECK(weights.drawn(4) == std::vector<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("as many members as the time allows, never fewer than the least, and again more when each costs less") {
    ForecastBudget budget(0.006, 50, 1000);
    CHECK(budget.ahead() == 1000);
    CHECK(budget.spent(0.001, 0.010, 1000, 1000) == 1000);  // 10 us each, 5 ms left
    CHECK(budget.ahead() == Approx(500).margin(1));
    CHECK(budget.spent(0.006, 0.010, 500, 1000) == 500);  // following took twice its share
    for (int i = 0; i < 100; ++i) budget.spent(0.0, 1.0, 50, 500);
    CHECK(budget.ahead() == 50);
    for (int i = 0; i < 100; ++i) budget.spent(0.0, 1e-5, 50, 500);
    CHECK(budget.ahead() == Approx(500).margin(1));
}

TEST_CASE("before the motion the forecast is the blind prediction of the same members") {
    ForecastTrial trial = trial_of(test::b6l());
    const ForecastOutcome early = forecast_at(trial, 0.0);
    std::size_t fallen = 0;
    for (std::size_t i = 0; i < trial.members.in_lanes; ++i) fallen += falls(drawn(trial, i)) ? 1 : 0;
    CHECK(fallen > 40);
    CHECK(fallen < 360);
    CHECK(run_log::overturning_probability(early.forecast) == Approx(static_cast<double>(fallen) / 400.0));
    CHECK(sum_of(early.forecast) == Approx(1.0));
    CHECK(early.forecast.members == 400);
    CHECK(early.forecast.members_run_ahead == 400);
    CHECK(early.forecast.effective_members == Approx(400.0));
    CHECK(early.forecast.expected_time_s > 0.1);
}

TEST_CASE("what is certain has the probability 1 and not more, however the weights round") {
    ForecastTrial trial = trial_of(test::b6l());
    trial.planned = trial.achieved = solver::sine_acceleration(1.0, 14.0);  // below g tan(alpha): nobody moves
    for (const std::size_t members : {76u, 81u, 82u, 400u}) {
        trial.members.in_lanes = trial.members.in_lanes_ahead = members;
        for (const double probability : forecast_at(trial, 0.0).forecast.probability) CHECK(probability <= 1.0);
    }
    run_log::Forecast forecast;
    forecast.probability = {0.0, 0.0, 0.0, 0.7, 0.1, 0.2 + 1e-15};
    CHECK(run_log::overturning_probability(forecast) <= 1.0);
}

TEST_CASE("with a rotation sensor the members near the truth gain weight, and the forecast comes true") {
    ForecastTrial trial = trial_of(test::b6l());
    const topple::tests::RandomRuns runs(3, 12);
    double with = 0.0, without = 0.0;  // Brier scores, summed
    double least_effective = 1e9;
    for (int i = 0; i < runs.count(); ++i) {
        const solver::Specimen truth = drawn(trial, 100'000 + static_cast<std::size_t>(i));
        trial.standing.reset();
        const double blind = run_log::overturning_probability(forecast_at(trial, 0.35).forecast);
        trial.standing = truth;
        trial.noise_seed = runs.seed(i);
        const run_log::Forecast seen = forecast_at(trial, 0.35).forecast;
        CHECK(sum_of(seen) == Approx(1.0));
        const double happens = falls(truth) ? 1.0 : 0.0;
        without += (blind - happens) * (blind - happens);
        const double live = run_log::overturning_probability(seen);
        with += (live - happens) * (live - happens);
        least_effective = std::min(least_effective, seen.effective_members);
    }
    CHECK(without > 0.05 * runs.count());  // not all alike, so that there is something to learn
    CHECK(with < 0.6 * without);
    CHECK(least_effective < 350.0);  // of 400: told, before they are resampled
}

TEST_CASE("one wild reading does not decide everything, and a reading that is no number says nothing") {
    const ForecastTrial trial = trial_of(test::b6l());
    EnsembleForecast forecast(trial.described, trial.members.uncertainty, 9.81, 200);
    for (int i = 0; i < 100; ++i) forecast.follow(test::piece(0.002 * i, 0.002 * (i + 1), 2.6));
    forecast.weigh(std::array{std::nan("")});
    const MotionAhead nothing{solver::BaseMotion{}};
    CHECK(forecast.run_ahead(nothing, 0.0, 200).forecast.effective_members == Approx(200.0));
    forecast.follow(test::piece(0.2, 0.22, 2.6));
    forecast.weigh(std::array{40.0});
    CHECK(forecast.run_ahead(nothing, 0.0, 200).forecast.effective_members == Approx(200.0));
}

TEST_CASE("resampled members are spread as the weights said: the probability does not jump") {
    ForecastTrial trial = trial_of(test::b6l());
    trial.members.in_lanes = trial.members.in_lanes_ahead = 2000;
    trial.standing = drawn(trial, 54'321);
    double before = -1.0, worst = 0.0;
    bool resampled = false;
    double effective_before = 2000.0;
    for (double time_s = 0.20; time_s < 0.8; time_s += 0.02) {
        const run_log::Forecast now = forecast_at(trial, time_s).forecast;
        resampled = resampled || now.effective_members > 1.5 * effective_before;
        effective_before = now.effective_members;
        const double p = run_log::overturning_probability(now);
        if (before >= 0.0) worst = std::max(worst, std::abs(p - before));
        before = p;
    }
    CHECK(resampled);
    CHECK(worst < 0.3);  // each reading is worth a fifth of an independent one
}

TEST_CASE("one forecast answers for several motions that the base could still make") {
    const ForecastTrial trial = trial_of(test::b6l());
    EnsembleForecast forecast(trial.described, trial.members.uncertainty, 9.81, 200);
    const std::array<MotionAhead, 3> candidates{MotionAhead{kWave}, MotionAhead{kWave.scaled(0.5)},
                                                MotionAhead{kWave.scaled(3.0)}};
    const auto standing = forecast.standing_along(candidates, 0.0, 200);
    REQUIRE(standing.size() == 3);
    CHECK(standing[1] == Approx(1.0));
    CHECK(standing[2] < 0.05);
    CHECK(standing[0] ==
          Approx(1.0 - run_log::overturning_probability(forecast.run_ahead(candidates[0], 0.0, 200).forecast)));
    CHECK(standing[0] > standing[2]);
    CHECK(standing[0] < standing[1]);
}

TEST_CASE("a stack's members are runs of the solver, they are weighted too, and given up by weight") {
    ForecastTrial trial = trial_of(test::stack({test::kB6l, test::kB3m}));
    trial.planned = trial.achieved = solver::sine_acceleration(3.5, 20.0);
    trial.standing = drawn(trial, 77);
    const run_log::Forecast seen = forecast_at(trial, 0.3).forecast;
    CHECK(seen.members == EnsembleForecast::kMembersMin);
    CHECK(sum_of(seen) == Approx(1.0));
    CHECK(seen.effective_members < 50.0);
    EnsembleForecast forecast(trial.described, trial.members.uncertainty, 9.81, 80);
    forecast.keep_only(10);
    CHECK(forecast.member_count() == EnsembleForecast::kMembersMin);
}

TEST_CASE("a base that comes later than planned is expected to go on coming later") {
    ForecastTrial trial = trial_of(test::b6l());
    trial.achieved = kWave.shifted(0.01);
    const auto late = forecast_at(trial, 0.2).forecast;
    trial.planned = trial.achieved;
    const auto on_time = forecast_at(trial, 0.2).forecast;
    CHECK(std::abs(run_log::overturning_probability(late) - run_log::overturning_probability(on_time)) < 0.05);
}
