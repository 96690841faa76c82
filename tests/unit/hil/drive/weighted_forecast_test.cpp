// The live forecast of members with weights.
#include <memory>
#include <numeric>

#include "hil/drive/ensemble_forecast.hpp"
#include "hil/drive/forecast_trial.hpp"
#include "hil/plan/ensemble.hpp"
#include "solver/predict.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil;
using namespace topple::hil::drive;

namespace {

const solver::BaseMotion kWave = solver::sine_acceleration(2.62, 14.0);

/// Widths from 0.97 to 1.03, the wide ones ten times as heavy.
std::shared_ptr<const experiment::MembersTable> widths(std::size_t rows, double wear_m = 0.0) {
    auto table = std::make_shared<experiment::MembersTable>();
    table->file = "members.csv";
    table->is_weighted = true;
    double sum = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < rows; ++i) {
        experiment::WeightedMember row;
        row.perturbation.width_factors = {0.97 + 0.06 * static_cast<double>(i) / static_cast<double>(rows)};
        row.perturbation.wear_m = wear_m;
        row.weight = 2 * i < rows ? 1.0 : 10.0;
        sum += row.weight;
        squares += row.weight * row.weight;
        table->rows.push_back(row);
    }
    table->effective_members = sum * sum / squares;
    for (experiment::WeightedMember& row : table->rows) row.weight *= sum / squares;
    return table;
}

ForecastTrial trial_of(std::size_t rows, double wear_m = 0.0) {
    ForecastTrial trial;
    trial.described = test::b6l();
    trial.planned = trial.achieved = kWave;
    trial.members.in_lanes = trial.members.in_lanes_ahead = 400;
    trial.members.in_runs = 60;
    trial.members.uncertainty.of = {{}, {}, {}, {}, {}, {}, {}, {}};
    trial.members.uncertainty.members = widths(rows, wear_m);
    return trial;
}

double blind_probability(const ForecastTrial& trial) {
    const auto& uncertainty = trial.members.uncertainty;
    double fallen = 0.0;
    for (std::size_t i = 0; i < uncertainty.members->rows.size(); ++i) {
        const auto member = plan::draw_member(trial.described, uncertainty, i, plan::MotionIs::planned);
        if (solver::is_overturning(solver::predict(member.specimen, kWave).outcome)) fallen += member.weight;
    }
    return fallen / uncertainty.members->effective_members;
}

}  // namespace

TEST_CASE("before the motion the forecast of a members table is its weighted blind prediction") {
    const ForecastTrial trial = trial_of(300);
    const run_log::Forecast early = forecast_at(trial, 0.0).forecast;
    const double blind = blind_probability(trial);
    CHECK(blind > 0.05);
    CHECK(blind < 0.95);
    CHECK(run_log::overturning_probability(early) == Approx(blind).margin(1e-9));
    CHECK(early.members == 300);
    CHECK(early.effective_members == Approx(trial.members.uncertainty.members->effective_members));
}

TEST_CASE("of more rows than the forecast can carry so many are drawn by weight") {
    const ForecastTrial trial = trial_of(3000);
    const run_log::Forecast early = forecast_at(trial, 0.0).forecast;
    CHECK(early.members == 400);
    CHECK(early.effective_members == Approx(400.0));
    CHECK(run_log::overturning_probability(early) == Approx(blind_probability(trial)).margin(2.0 / 400.0));
}

TEST_CASE("worn members of a block, which have a foot, are carried too, each in a run of its own") {
    const ForecastTrial trial = trial_of(60, 0.001);
    const run_log::Forecast early = forecast_at(trial, 0.0).forecast;
    CHECK(early.members == 60);
    CHECK(std::accumulate(early.probability.begin(), early.probability.end(), 0.0) == Approx(1.0));
    CHECK(run_log::overturning_probability(early) == Approx(blind_probability(trial)).margin(1e-9));
}
