// The tilt of the seat: arithmetic, and the same read from a table whose sensor a person turns.
#include "hil/check/tilt.hpp"

#include <atomic>
#include <cmath>
#include <random>

#include "hil/check/tilt_reading.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/host_bench.hpp"

using namespace topple;
using namespace topple::hil::check;
using Catch::Matchers::ContainsSubstring;
using firmware_iface::DeviceError;
using firmware_iface::Measurement;

namespace {

constexpr double kGravity_m_s2 = 9.81;

/// Noise of `deviation`, each sample keeping `memory` of the one before.
std::vector<double> correlated(double level, double deviation, double memory, std::mt19937& random) {
    std::normal_distribution<double> normal(0.0, deviation * std::sqrt(1.0 - memory * memory));
    std::vector<double> samples;
    double value = 0.0;
    for (int i = 0; i < 5000; ++i) {
        value = memory * value + normal(random);
        samples.push_back(level + value);
    }
    return samples;
}

/// A table whose accelerometer stands on a tilted seat and is turned when the operator is asked the second time.
struct TiltedSeat {
    double tilt_rad = 0.004, bias_m_s2 = 0.07;
    int asked = 0;
    std::unique_ptr<test::HostBench> host;
    std::atomic<bool> stop{false};

    TiltedSeat() {
        hil::sim_table::SimulatedTableOptions options;
        options.reports_simulated = false;
        options.sensors.emplace().acceleration_bias_m_s2 = 0.0;
        options.disturb = [this](std::uint64_t, Measurement& m) {
            const double along = asked < 2 ? 1.0 : -1.0;
            m.acceleration_x_m_s2 += bias_m_s2 - along * kGravity_m_s2 * std::sin(tilt_rad);
        };
        host = std::make_unique<test::HostBench>(std::vector<solver::Specimen>{}, options);
        host->link->connect();
    }
    Tilt measure() {
        return measure_tilt({*host->link, host->clock, host->machine, stop}, 10.0, kGravity_m_s2,
                            [this](const std::string&) { ++asked; });
    }
};

}  // namespace

TEST_CASE("a seat whose right side is down has a positive tilt: the sensor that points right reads less") {
    const double reading = kGravity_m_s2 * std::sin(0.01);
    const Tilt right_down = tilt_of({0.2 - reading, 1e-4, 0.0}, {0.2 + reading, 1e-4, 0.0}, kGravity_m_s2);
    CHECK(right_down.tilt_rad == Approx(0.01).epsilon(1e-12));
    CHECK(right_down.bias_m_s2 == Approx(0.2));
    CHECK(right_down.tilt_error_rad == Approx(1e-4 / std::sqrt(2.0) / kGravity_m_s2).epsilon(1e-3));
    CHECK_THAT(describe(right_down),
               ContainsSubstring("initial_tilt_rad = 0.010000") && ContainsSubstring("right side down"));
}

TEST_CASE("a tilt within two standard errors of level is not printed as one") {
    const Tilt level = tilt_of({0.1, 2e-3, 0.0}, {0.102, 2e-3, 0.0}, kGravity_m_s2);
    CHECK_FALSE(level.distinguishable());
    CHECK_THAT(describe(level), ContainsSubstring("not distinguishable from level: |tilt| < "));
    CHECK_THAT(describe(level), !ContainsSubstring("initial_tilt_rad"));
}

TEST_CASE("the standard error of correlated samples is the scatter of the mean, not noise over the root of n") {
    constexpr double kDeviation = 0.03, kMemory = 0.95;
    std::mt19937 random(7);
    double square = 0.0, claimed = 0.0;
    constexpr int kRuns = 300;
    for (int run = 0; run < kRuns; ++run) {
        const RestMean rest = rest_mean(correlated(0.5, kDeviation, kMemory, random));
        square += (rest.mean_m_s2 - 0.5) * (rest.mean_m_s2 - 0.5) / kRuns;
        claimed += rest.error_m_s2 * rest.error_m_s2 / kRuns;
    }
    CHECK(std::sqrt(claimed) == Approx(std::sqrt(square)).epsilon(0.15));  // 300 runs know it to 4 %
    CHECK(std::sqrt(claimed) > 4.0 * kDeviation / std::sqrt(5000.0));      // sqrt((1 + m) / (1 - m)) = 6.2
}

TEST_CASE("the tilt of a seat is found within its standard error, with the bias of the sensor") {
    TiltedSeat seat;
    const Tilt tilt = seat.measure();
    CHECK(seat.asked == 2);
    CHECK(tilt.tilt_error_rad < 2e-4);
    CHECK(std::abs(tilt.tilt_rad - seat.tilt_rad) < 4.0 * tilt.tilt_error_rad);
    CHECK(std::abs(tilt.bias_m_s2 - seat.bias_m_s2) < 4.0 * tilt.bias_error_m_s2);
}

TEST_CASE("no tilt is measured where the platen moves, the sensor is shaken, or somebody stops it") {
    TiltedSeat seat;
    seat.stop = true;
    CHECK_THROWS_AS(seat.measure(), DeviceError);

    hil::sim_table::SimulatedTableOptions shaken;
    shaken.sensors.emplace().acceleration_noise_m_s2 = 0.3;
    test::HostBench noisy({}, shaken);
    noisy.link->connect();
    const std::atomic<bool> go{false};
    CHECK_THROWS_WITH(read_at_rest({*noisy.link, noisy.clock, noisy.machine, go}, 5.0), ContainsSubstring("noise"));

    hil::sim_table::SimulatedTableOptions unhomed;
    unhomed.start_homed = false;  // the drive is off: the platen can be pushed, here by 20 um/s
    unhomed.disturb = [](std::uint64_t time_us, Measurement& m) {
        m.encoder_count += static_cast<std::int64_t>(time_us / 50'000);
    };
    test::HostBench pushed({}, unhomed);
    pushed.link->connect();
    CHECK_THROWS_WITH(read_at_rest({*pushed.link, pushed.clock, pushed.machine, go}, 5.0),
                      ContainsSubstring("not at rest"));
}
