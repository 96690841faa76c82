#include "firmware_iface/clock_sync.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::firmware_iface;

namespace {

constexpr std::uint64_t kFirst_us = 1'234'568'000;
constexpr double kPeriod_s = 0.002;
constexpr double kHostFirst_s = 77.0;

/// A device at 500 Hz and the way of its samples into the host.
struct Stream {
    double skew_ppm = 40.0;
    double base_s = 0.0005, jitter_s = 50e-6;       // least delay and its Gaussian part
    double tail_ratio = 0.02, tail_mean_s = 0.005;  // one-sided heavy part
    double drop_ratio = 0.01;
    double grid_s = 0.0;  // > 0: the host looks at multiples of this only
    std::function<double(double)> stall = [](double host_s) { return host_s; };  // when the host really looks
    std::function<double(double)> step = [](double) { return 0.0; };  // of the device's clock, at sample time
    topple::tests::RandomRuns runs{4};
    std::mt19937_64 random{runs.seed()};

    double delay() {
        std::normal_distribution<double> jitter(0.0, jitter_s);
        std::uniform_real_distribution<double> chance(0.0, 1.0);
        std::exponential_distribution<double> tail(1.0 / tail_mean_s);
        return std::max(0.0, base_s + jitter(random)) + (chance(random) < tail_ratio ? tail(random) : 0.0);
    }

    /// Calls each(device time, host time of the reading, true host time of the sample) for the newest of each reading.
    template <class Each>
    void run(double duration_s, Each each) {
        std::uniform_real_distribution<double> chance(0.0, 1.0);
        struct {
            std::uint64_t device_us;
            double read_s, true_s;
        } waiting{};
        bool any = false;
        for (std::int64_t k = 0; static_cast<double>(k) * kPeriod_s < duration_s; ++k) {
            const double device_s = static_cast<double>(k) * kPeriod_s;
            const double true_s = kHostFirst_s + device_s / (1.0 + 1e-6 * skew_ppm);
            if (chance(random) < drop_ratio) continue;
            double read_s = true_s + delay();
            if (grid_s > 0.0) read_s = std::ceil(read_s / grid_s) * grid_s;
            read_s = std::max(stall(read_s), any ? waiting.read_s : 0.0);  // samples do not overtake one another
            if (any && read_s > waiting.read_s) each(waiting.device_us, at(waiting.read_s), waiting.true_s);
            const auto told_us = std::llround(1e6 * (device_s + step(device_s)));
            waiting = {kFirst_us + static_cast<std::uint64_t>(told_us), read_s, true_s};
            any = true;
        }
    }
    static Nanoseconds at(double host_s) { return Nanoseconds(std::llround(1e9 * host_s)); }
};

double error_s(const ClockSync& sync, std::uint64_t device_us, double true_s) {
    return 1e-9 * static_cast<double>(sync.host_time(device_us).count()) - true_s;
}

/// Feeds a stream in which no jump is and asserts that none is seen and that every sample lies within the bound.
struct Steady {
    double worst_ratio = 0.0, skew_error_ppm = 0.0, skew_ratio = 0.0;
    std::uint32_t jumps = 0;
    bool drifted = false;
};

Steady follow(ClockSync& sync, Stream& stream, double duration_s) {
    Steady seen;
    stream.run(duration_s, [&](std::uint64_t device_us, Nanoseconds read, double true_s) {
        sync.observe(device_us, read);
        if (!sync.ready()) return;
        seen.worst_ratio =
            std::max(seen.worst_ratio, std::abs(error_s(sync, device_us, true_s)) / sync.bound_s(device_us));
        const double skew_error_ppm = std::abs(sync.skew_ppm() - stream.skew_ppm);
        seen.skew_ratio = std::max(seen.skew_ratio, skew_error_ppm / sync.skew_bound_ppm());
        if (true_s > kHostFirst_s + 65.0) seen.skew_error_ppm = std::max(seen.skew_error_ppm, skew_error_ppm);
        seen.drifted = seen.drifted || sync.drifting();
    });
    seen.jumps = sync.jumps();
    return seen;
}

constexpr ClockSyncSettings kAtOnce{.round_trip_s = 0.0015, .reading_period_s = 0.0};
constexpr ClockSyncSettings kEveryPeriod{.round_trip_s = 0.0015, .reading_period_s = kPeriod_s};

struct Found {
    std::optional<ClockJump> jump;
    int readings = 0;      // from the step to the verdict
    double delay_s = 0.0;  // host time
    std::uint32_t jumps = 0;
};

/// Runs past a step at 20 s and on until 30 s.
Found find_step(const std::function<double(double)>& step, const std::function<double(double)>& stall = {}) {
    Stream stream;
    stream.step = step;
    if (stall) stream.stall = stall;
    ClockSync sync(kAtOnce);
    Found found;
    stream.run(30.0, [&](std::uint64_t device_us, Nanoseconds read, double true_s) {
        const auto jump = sync.observe(device_us, read);
        if (true_s >= kHostFirst_s + 20.0 && !found.jump) ++found.readings;
        if (jump && !found.jump) {
            found.jump = jump;
            found.delay_s = 1e-9 * static_cast<double>(read.count()) - kHostFirst_s - 20.0;
        }
    });
    found.jumps = sync.jumps();
    return found;
}

}  // namespace

TEST_CASE("over an hour of jitter and lost samples the bound holds, the skew is found and no alarm is raised") {
    Stream stream;
    ClockSync sync(kAtOnce);
    const Steady seen = follow(sync, stream, 3600.0);
    CHECK(seen.jumps == 0);
    CHECK_FALSE(seen.drifted);
    CHECK(seen.worst_ratio <= 1.0);
    // 50 us of jitter, least of 250, over the half of 64 s: 1 ppm; the largest of some hundred windows of an hour.
    CHECK(seen.skew_error_ppm < 4.5);
    CHECK(seen.skew_ratio <= 1.0);
    CHECK(sync.bound_s(kFirst_us + 3'600'000'000) < 0.001);
}

TEST_CASE("a host that looks every period knows less, and says so") {
    Stream stream;
    stream.grid_s = kPeriod_s;
    ClockSync sync(kEveryPeriod);
    const Steady seen = follow(sync, stream, 600.0);
    CHECK(seen.jumps == 0);
    CHECK(seen.worst_ratio <= 1.0);
    CHECK(seen.skew_ratio <= 1.0);
    CHECK(sync.skew_bound_ppm() < 130.0);  // 2 x (2 ms + at most 2 ms) over 64 s
}

TEST_CASE("stalls of the host are no jumps of the clock") {
    const topple::tests::RandomRuns runs(9);
    std::mt19937_64 random(runs.seed());
    std::uniform_real_distribution<double> length(0.005, 3.0);
    std::vector<std::pair<double, double>> stalls;  // from, to
    for (double at = kHostFirst_s + 3.0; at < kHostFirst_s + 590.0; at += 6.0)
        stalls.push_back({at, at + length(random)});
    Stream stream;
    stream.grid_s = GENERATE(0.0, kPeriod_s);
    stream.stall = [&](double host_s) {
        const auto later = std::upper_bound(stalls.begin(), stalls.end(), std::pair{host_s, 1e9});
        return later != stalls.begin() && host_s < std::prev(later)->second ? std::prev(later)->second : host_s;
    };
    ClockSync sync(kEveryPeriod);
    const Steady seen = follow(sync, stream, 600.0);
    CHECK(seen.jumps == 0);
    CHECK(seen.worst_ratio <= 1.0);
}

TEST_CASE("a line that empties slowly after a stall is no jump of the clock") {
    Stream stream;
    // Every 10 s the host is away for 0.3 s and then catches up at twice the rate of the samples.
    stream.stall = [](double host_s) {
        const double since_s = std::fmod(host_s, 10.0);
        return since_s < 0.6 ? host_s + std::max(0.0, 0.3 - since_s * 0.5) : host_s;
    };
    ClockSync sync(kEveryPeriod);
    CHECK(follow(sync, stream, 300.0).jumps == 0);
}

TEST_CASE("a device clock that jumps ahead is found within 20 readings") {
    const Found found = find_step([](double device_s) { return device_s < 20.0 ? 0.0 : 0.010; });
    REQUIRE(found.jump);
    CHECK(found.readings <= 20);
    CHECK(found.jump->step_s == Approx(0.010).margin(0.001));  // a delay more or less
    CHECK(found.jumps == 1);
}

TEST_CASE("a device clock that jumps back is found within 10 readings") {
    const double step_s = GENERATE(-0.010, -0.005, -2.0);
    const Found found = find_step([step_s](double device_s) { return device_s < 20.0 ? 0.0 : step_s; });
    REQUIRE(found.jump);
    CHECK(found.readings <= 10);
    CHECK(found.jump->step_s == Approx(step_s).margin(0.001));
    CHECK(found.jumps == 1);
}

TEST_CASE("a device clock that stood still is found within 0.6 s") {
    // The samples go on as if nothing had been, 10 ms later than they should.
    const Found found = find_step([](double) { return 0.0; },
                                  [](double host_s) { return host_s < kHostFirst_s + 20.0 ? host_s : host_s + 0.010; });
    REQUIRE(found.jump);
    CHECK(found.delay_s < 0.6);
    CHECK(found.jump->step_s == Approx(-0.010).margin(0.001));
    CHECK(found.jumps == 1);
}

TEST_CASE("after a jump the map is learnt anew and its bound holds again") {
    Stream stream;
    stream.step = [](double device_s) { return device_s < 20.0 ? 0.0 : 0.010; };
    ClockSync sync(kAtOnce);
    double worst_ratio = 0.0;
    stream.run(60.0, [&](std::uint64_t device_us, Nanoseconds read, double true_s) {
        sync.observe(device_us, read);
        if (sync.jumps() == 1 && sync.ready())
            worst_ratio = std::max(worst_ratio, std::abs(error_s(sync, device_us, true_s)) / sync.bound_s(device_us));
    });
    CHECK(worst_ratio > 0.0);
    CHECK(worst_ratio <= 1.0);
}

TEST_CASE("two frames that changed places are no jump of the clock") {
    ClockSync sync(kEveryPeriod);
    std::uint64_t at_us = kFirst_us;
    for (int k = 0; k < 10'000; ++k, at_us += 2000) {
        if (k % 100 == 50) continue;  // comes after the next one
        const std::uint64_t told_us = k % 100 == 52 ? at_us - 4000 : at_us;
        sync.observe(told_us, std::chrono::microseconds(at_us + 500));
    }
    CHECK(sync.jumps() == 0);
}

TEST_CASE("a clock beyond its limit is drifting, one within is not") {
    const double skew_ppm = GENERATE(-500.0, -150.0, 150.0, 500.0);
    Stream stream;
    stream.skew_ppm = skew_ppm;
    ClockSync sync(kAtOnce);
    CHECK(follow(sync, stream, 60.0).drifted == (std::abs(skew_ppm) > 200.0));
}

TEST_CASE("before anything is learnt the bound is not small") {
    ClockSync sync(kEveryPeriod);
    sync.observe(kFirst_us, std::chrono::seconds(1));
    CHECK_FALSE(sync.ready());
    CHECK_FALSE(sync.drifting());
    CHECK(sync.bound_s(kFirst_us) >= 0.001);
    CHECK(sync.bound_s(kFirst_us + 60'000'000) > 0.1);
}
