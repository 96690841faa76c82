#include "hil/plan/ensemble_spread.hpp"

#include "hil/plan/prediction.hpp"
#include "hil/plan/prediction_json.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using hil::plan::spread_of;
using solver::Outcome;

namespace {

solver::Prediction member(std::optional<Outcome> outcome, double peak_rad, std::vector<double> impacts_s) {
    solver::Prediction prediction;
    prediction.outcome = outcome;
    prediction.peak_rotation_rad = {peak_rad};
    for (const double time_s : impacts_s) {
        prediction.impacts.emplace_back();
        prediction.impacts.back().time_s = time_s;
    }
    return prediction;
}

}  // namespace

TEST_CASE("Quantiles lie on the straight line between the values in order") {
    std::vector<double> values;
    for (int i = 20; i >= 0; --i) values.push_back(i);
    const hil::plan::Quantiles q = hil::plan::quantiles_of(values);
    CHECK(q.p05 == Approx(1.0));
    CHECK(q.p25 == Approx(5.0));
    CHECK(q.p50 == Approx(10.0));
    CHECK(q.p75 == Approx(15.0));
    CHECK(q.p95 == Approx(19.0));
    CHECK(hil::plan::quantiles_of({3.0}).p95 == 3.0);
}

TEST_CASE("Peaks are of the members that stand, impact times of those that have the impact, failed ones of neither") {
    const auto spread = spread_of({member(Outcome::rocking, -0.1, {0.2, 0.4}), member(Outcome::rocking, 0.2, {0.3}),
                                   member(Outcome::overturning, 1.57, {0.4, 0.6}), member(std::nullopt, 9.0, {9.0})});
    CHECK(spread.followed == 4);
    REQUIRE(spread.peak_rad.size() == 1);
    CHECK(spread.peak_rad[0].members == 2);
    CHECK(spread.peak_rad[0].quantiles.p50 == Approx(0.15));
    REQUIRE(spread.impact_times_s.size() == 2);
    CHECK(spread.impact_times_s[0].members == 3);
    CHECK(spread.impact_times_s[0].quantiles.p50 == Approx(0.3));
    CHECK(spread.impact_times_s[1].members == 2);
}

TEST_CASE("An ensemble states its uncertainty, its spread and how near another outcome is") {
    const std::string file = TOPPLE_SOURCE_DIR "/docs/examples/b6l_sine.toml";
    const auto experiment = hil::experiment::read_experiment(file);
    hil::plan::PredictionRequest request;
    request.ensemble = 60;
    const auto prediction = hil::plan::predict_experiment(experiment, request);
    const hil::plan::SpecimenPrediction& one = prediction.specimens.at(0);
    REQUIRE(one.spread.peak_rad.size() == 1);
    CHECK(one.spread.followed == 60);
    CHECK(one.spread.peak_rad[0].members == 60);
    CHECK(one.spread.peak_rad[0].quantiles.p05 < one.prediction.peak_rotation_rad[0]);
    CHECK(one.spread.peak_rad[0].quantiles.p95 > one.prediction.peak_rotation_rad[0]);
    CHECK(one.spread.impact_times_s.at(0).quantiles.p50 == Approx(one.prediction.impacts.at(0).time_s).epsilon(0.05));
    REQUIRE(one.boundaries);
    REQUIRE(one.boundaries->amplitude);
    const std::string json = hil::plan::prediction_json(experiment, prediction);
    for (const char* part : {"\"nearest_boundary\": {", "\"change_ratio\": ", "\"searched\": [", "\"uncertainty\": {",
                             "\"normal\": 0.015", "\"peak_rotation_rad\": [", "\"impact_times_s\": ["}) {
        INFO(part);
        CHECK(json.find(part) != std::string::npos);
    }
    CHECK(json.find("created_utc") == std::string::npos);
    CHECK(hil::plan::prediction_json(experiment, prediction, 10, "2026-03-01T13:02:11.123Z")
              .find("\"created_utc\": \"2026-03-01T13:02:11.123Z\"") != std::string::npos);
    CHECK_FALSE(hil::plan::predict_experiment(experiment, {}).specimens.at(0).boundaries);
}
