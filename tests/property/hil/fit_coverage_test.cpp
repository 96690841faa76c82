#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <random>

#include "hil/study/free_rocking.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;

namespace {

constexpr double kTruth[] = {0.9427, 0.85};
const solver::Block kBlocks[] = {{0.06, 0.27, 2.5692}, {0.045, 0.10, 1.0}};

/// What a sensor makes of a rocking test.
struct Sensor {
    const char* name;
    double duration_s = 4.0;  ///< the tall block rests after about 3.6 s
    double white_rad = 3e-4, wander_rad = 0.0, wander_s = 1.0;
    double drift_rad_s = 0.0, walk_rad = 0.0;  ///< walk: per root second
    double step_rad = 0.0, tilt_rad = 0.0;
};

const Sensor kSensors[] = {
    {.name = "white noise, with rest"},
    {.name = "without rest", .duration_s = 1.8},
    {.name = "linear drift", .drift_rad_s = 1e-3},
    {.name = "linear drift without rest", .duration_s = 1.8, .drift_rad_s = 2e-3},
    {.name = "random walk", .walk_rad = 1e-3},
    {.name = "steps of 1 mrad", .white_rad = 0.0, .step_rad = 1e-3},
    {.name = "steps of 0.1 degree", .white_rad = 1e-4, .step_rad = 1.745e-3},
    {.name = "noise correlated over 0.02 s", .white_rad = 1e-5, .wander_rad = 3e-4, .wander_s = 0.02},
    {.name = "noise correlated over 0.2 s without rest",
     .duration_s = 1.8,
     .white_rad = 1e-4,
     .wander_rad = 5e-4,
     .wander_s = 0.2},
    {.name = "seat tilted by 3 mrad", .tilt_rad = 3e-3},
    {.name = "seat tilted by 3 mrad without rest", .duration_s = 1.8, .tilt_rad = 3e-3},
};

std::vector<double> motion(const solver::Block& block, double ratio, const Sensor& sensor, double rate_hz) {
    solver::Specimen specimen;
    specimen.blocks = {block};
    specimen.initial_rotation_rad = {0.7 * block.slenderness_rad()};
    specimen.initial_tilt_rad = sensor.tilt_rad;
    specimen.restitution.model = solver::RestitutionModel::fixed;
    specimen.restitution.fixed_left_to_right = specimen.restitution.fixed_right_to_left = ratio;
    solver::RockingRun run(specimen, {});
    std::vector<double> rotation;
    for (int i = 0; i < sensor.duration_s * rate_hz; ++i) {
        run.coast(i / rate_hz);
        rotation.push_back(run.rotation_rad(0));
    }
    return rotation;
}

std::string seen_csv(const std::vector<double>& motion, const Sensor& sensor, double rate_hz, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal(0.0, 1.0);
    const double decay = std::exp(-1.0 / rate_hz / sensor.wander_s);
    double wander = sensor.wander_rad * normal(generator), walk = 1e-3 * normal(generator);
    std::string text = "time_s,rotation_rad\n";
    for (std::size_t i = 0; i < motion.size(); ++i) {
        const double time_s = static_cast<double>(i) / rate_hz;
        double seen = motion[i] + walk + wander + sensor.drift_rad_s * time_s + sensor.white_rad * normal(generator);
        wander = decay * wander + std::sqrt(1.0 - decay * decay) * sensor.wander_rad * normal(generator);
        walk += sensor.walk_rad / std::sqrt(rate_hz) * normal(generator);
        if (sensor.step_rad > 0.0) seen = sensor.step_rad * std::round(seen / sensor.step_rad);
        text += fmt::format("{:.6f},{:.7f}\n", time_s, seen);
    }
    return text;
}

}  // namespace

TEST_CASE("the stated 95 % interval holds the true ratio in at least 90 % of records, or a warning says so") {
    const tests::RandomRuns runs(1, 15);  // of every sensor and block
    const tests::TemporaryFolder folder;
    constexpr double kRate_hz = 150.0;
    for (const Sensor& sensor : kSensors) {
        int held = 0, doubtful = 0, count = 0;
        for (std::size_t block = 0; block < std::size(kBlocks); ++block) {
            Sensor scaled = sensor;
            if (block == 1) scaled.duration_s *= 0.35;  // it rests sooner
            const auto rotation = motion(kBlocks[block], kTruth[block], scaled, kRate_hz);
            for (int i = 0; i < runs.count(); ++i, ++count) {
                hil::study::FreeRockingRequest request;
                request.block = kBlocks[block];
                request.record = folder.write("record.csv", seen_csv(rotation, scaled, kRate_hz, runs.seed(i)));
                const hil::study::FreeRockingFit fit = hil::study::fit_free_rocking(request);
                const bool is_doubted = !fit.record.doubts.empty();
                doubtful += is_doubted;
                held += !is_doubted && std::abs(fit.ratio.value - kTruth[block]) <= 1.96 * fit.ratio.standard_error;
            }
        }
        INFO(sensor.name << ": held in " << held << " of " << count << ", doubted in " << doubtful);
        const int stated = count - doubtful;
        CHECK(held >= 0.9 * stated);
        const bool is_usual = sensor.wander_s < 0.1 || sensor.wander_rad == 0.0;
        if (is_usual && sensor.walk_rad == 0.0) CHECK(doubtful <= 0.2 * count);
    }
}
