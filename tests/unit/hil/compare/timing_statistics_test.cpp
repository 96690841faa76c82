#include "hil/compare/timing_statistics.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

using namespace topple::hil::compare;
using namespace topple::hil::run_log;

namespace {

// A host that wakes every 2 ms and finds the newest sample of a device at 500 Hz; `skew_ppm` of the device's clock.
RunData run_of(double duration_s, double skew_ppm, double jump_at_s = 1e9, double jump_s = 0.0) {
    RunData run;
    for (std::int64_t k = 1; 0.002 * static_cast<double>(k) < duration_s; ++k) {
        TimingRecord record;
        record.deadline_ns = 5'000'000'000 + k * 2'000'000;
        record.wake_late_ns = 20'000 + (k * 7919) % 50'000;
        const double woke_s = 1e-9 * static_cast<double>(record.deadline_ns + record.wake_late_ns) - 5.0;
        const double device_s = (woke_s - 0.0004) * (1.0 + 1e-6 * skew_ppm);
        const double told_s = std::floor(device_s / 0.002) * 0.002 + (woke_s < jump_at_s ? 0.0 : jump_s);
        record.device_time_us = 900'000'000 + static_cast<std::uint64_t>(std::llround(1e6 * told_s));
        run.timing.push_back(record);
    }
    return run;
}

}  // namespace

TEST_CASE("the log's own cycles show how the device's clock ran against the host's") {
    const auto clock = timing_statistics(run_of(120.0, 40.0)).clock;
    REQUIRE(clock);
    CHECK(std::abs(clock->skew_ppm - 40.0) <= clock->skew_bound_ppm);
    CHECK(clock->skew_bound_ppm < 130.0);  // 2 x (2 ms + at most 2 ms of beat) / 64 s
    CHECK(clock->bound_s < 0.004);
    CHECK(clock->jumps.empty());
    CHECK_FALSE(clock->drifting);
}

TEST_CASE("a clock far off is said to be drifting") {
    const auto clock = timing_statistics(run_of(60.0, -900.0)).clock;
    REQUIRE(clock);
    CHECK(clock->drifting);
    CHECK(std::abs(clock->skew_ppm + 900.0) <= clock->skew_bound_ppm);
}

TEST_CASE("jumps of the device's clock are found in the log") {
    const double jump_s = GENERATE(0.010, -0.010);
    const auto clock = timing_statistics(run_of(20.0, 40.0, 8.0, jump_s)).clock;
    REQUIRE(clock);
    REQUIRE(clock->jumps.size() == 1);
    CHECK(clock->jumps[0].step_s == Approx(jump_s).margin(0.0025));  // known to a reading
    CHECK(1e-6 * static_cast<double>(clock->jumps[0].device_time_us) == Approx(908.0).margin(0.1));
}

TEST_CASE("what the tick's thread was granted is read from the remark that begins the log") {
    RunData run = run_of(1.0, 0.0);
    run.events.push_back({5, EventKind::remark, "something else"});
    CHECK_FALSE(timing_statistics(run).scheduling);
    run.events.push_back({6, EventKind::remark, std::string(kTickThread) + "SCHED_FIFO priority 60, memory locked"});
    CHECK(timing_statistics(run).scheduling == "SCHED_FIFO priority 60, memory locked");
}

TEST_CASE("without host times nothing is said about the clock, without a measured round trip nothing about the link") {
    RunData run = run_of(10.0, 0.0);
    for (TimingRecord& record : run.timing) record.deadline_ns = 0;
    CHECK_FALSE(timing_statistics(run).clock);
    CHECK_FALSE(timing_statistics(run).round_trip_us);
    run.metadata["link_round_trip_us"] = "1250";
    CHECK(timing_statistics(run).round_trip_us == 1250.0);
    run.metadata["link_round_trip_us"] = "soon";
    CHECK_FALSE(timing_statistics(run).round_trip_us);
    CHECK_FALSE(timing_statistics(RunData{}).clock);
}
