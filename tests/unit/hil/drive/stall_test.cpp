// The device owns time: a host that stalls within the look-ahead changes nothing of the motion.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/driven_run.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using namespace topple::tests;
using namespace std::chrono_literals;
using firmware_iface::Nanoseconds;

namespace {

hil::experiment::Experiment experiment() {
    return hil::experiment::read_experiment(std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml");
}

// After the start command, at the first setpoint, in acceleration, at peak velocity (half of 0.25 s), in deceleration.
const std::vector<std::int64_t> kInstants_us{-90'000, -1'000, 60'000, 125'000, 190'000};

struct Driven {
    hil::drive::DriveResult result;
    hil::run_log::RunData log;
    std::uint64_t start_us = 0;
};

// Drives the test with one stall at each instant; `start_us` 0: without any.
Driven drive(std::uint64_t start_us, Nanoseconds stall, const std::vector<std::int64_t>& instants_us) {
    const TemporaryFolder folder;
    DrivenRun test(experiment(), folder.path());
    std::size_t next = 0;
    if (start_us != 0)
        test.clock().oversleep = [&](std::uint64_t device_us) -> Nanoseconds {
            const auto at_us = static_cast<std::int64_t>(device_us - start_us);
            if (next >= instants_us.size() || at_us < instants_us[next]) return 0ns;
            ++next;
            return stall;
        };
    Driven driven;
    driven.result = test.run();
    driven.log = hil::run_log::read_run_log(folder.path() / "run.mcap");
    driven.start_us = driven.log.event_time_us(hil::run_log::EventKind::motion_start).value_or(0);
    if (start_us != 0) CHECK(next == instants_us.size());
    return driven;
}

using Bits = std::array<std::uint64_t, 4>;

// Setpoint and encoder of every feedback from 0.1 s before the motion to 1 s after it.
std::map<std::uint64_t, Bits> motion_bits(const Driven& driven) {
    std::map<std::uint64_t, Bits> bits;
    for (const auto& feedback : driven.log.feedback) {
        const auto at_us = static_cast<std::int64_t>(feedback.device_time_us - driven.start_us);
        if (at_us < -100'000 || at_us > 1'250'000) continue;
        const auto& axis = feedback.axes[0];
        bits[feedback.device_time_us] = {std::bit_cast<std::uint64_t>(axis.encoder_count),
                                         std::bit_cast<std::uint64_t>(axis.setpoint_position_m),
                                         std::bit_cast<std::uint64_t>(axis.setpoint_velocity_m_s),
                                         std::bit_cast<std::uint64_t>(axis.setpoint_acceleration_m_s2)};
    }
    return bits;
}

std::int64_t longest_gap_us(const hil::run_log::RunData& log) {
    std::int64_t longest_us = 0;
    for (std::size_t i = 1; i < log.timing.size(); ++i) {
        const auto woke_ns = [&](std::size_t k) { return log.timing[k].deadline_ns + log.timing[k].wake_late_ns; };
        longest_us = std::max(longest_us, (woke_ns(i) - woke_ns(i - 1)) / 1000);
    }
    return longest_us;
}

}  // namespace

TEST_CASE("stalls of the host up to the look-ahead leave the motion bit-identical") {
    const Driven smooth = drive(0, 0ns, {});
    REQUIRE(smooth.result.complete);
    const auto reference = motion_bits(smooth);
    REQUIRE(reference.size() >= 670);
    for (const auto stall : {0ms, 10ms, 25ms, 39ms, 40ms}) {
        INFO(stall.count() << " ms");
        const Driven stalled = drive(smooth.start_us, stall, kInstants_us);
        INFO(stalled.result.text);
        CHECK(stalled.result.complete);
        CHECK(longest_gap_us(stalled.log) >= std::chrono::microseconds(stall).count());
        CHECK(stalled.start_us == smooth.start_us);
        CHECK((motion_bits(stalled) == reference));
    }
}

TEST_CASE("a stall beyond the look-ahead and three periods is a controlled stop") {
    const Driven smooth = drive(0, 0ns, {});
    const Driven stalled = drive(smooth.start_us, 60ms, {60'000});
    CHECK_FALSE(stalled.result.complete);
    double fastest_m_s = 0.0, last_m_s = 1.0, farthest_m = 0.0;
    bool stopping = false;
    for (const auto& feedback : stalled.log.feedback) {
        stopping = stopping || feedback.state == firmware_iface::DeviceState::stopping;
        last_m_s = feedback.axes[0].setpoint_velocity_m_s;
        fastest_m_s = std::max(fastest_m_s, last_m_s);
        farthest_m = std::max(farthest_m, std::abs(feedback.axes[0].setpoint_position_m));
    }
    CHECK(stopping);
    CHECK(fastest_m_s > 0.05);
    CHECK(last_m_s == 0.0);
    CHECK(farthest_m < experiment().table.description.stroke_m);
    CHECK(stalled.log.feedback.back().state == firmware_iface::DeviceState::faulted);
}
