// What a whole test on the simulated table logs of its live forecast.
#include <cmath>
#include <numeric>

#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/driven_run.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using namespace topple::tests;

TEST_CASE("a test logs its forecast with members, probabilities that add up, and an age") {
    const TemporaryFolder folder;
    const auto experiment =
        hil::experiment::read_experiment(std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml");
    DrivenRun test(experiment, folder.path());
    REQUIRE(test.run().complete);
    const auto run = hil::run_log::read_run_log(folder.path());
    REQUIRE(run.predictions.size() > 1000);
    double oldest_ms = 0.0, least_effective = 1e9;
    for (const auto& prediction : run.predictions) {
        const auto& forecast = prediction.forecast;
        REQUIRE(forecast.members == 100);
        REQUIRE(forecast.members_run_ahead == 100);
        REQUIRE(std::accumulate(forecast.probability.begin(), forecast.probability.end(), 0.0) == Approx(1.0));
        REQUIRE(prediction.outcome < forecast.probability.size());
        REQUIRE(forecast.probability[prediction.outcome] > 0.3);
        oldest_ms = std::max(oldest_ms, 1e-3 * static_cast<double>(prediction.age_us));
        least_effective = std::min(least_effective, forecast.effective_members);
    }
    CHECK(oldest_ms > 10.0);
    CHECK(oldest_ms <= 40.0);
    CHECK(least_effective < 90.0);  // this table has rotation sensors: some members count less
    CHECK(run.predictions.back().forecast.expected_time_s > 1.0);
}
