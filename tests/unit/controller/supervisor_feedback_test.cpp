// What the table says of itself, and for which of it a motion is stopped.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/supervisor_bench.hpp"

using namespace topple;
using namespace topple::test;
using Bench = topple::test::SupervisorBench;

TEST_CASE("unsound or excessive feedback stops the motion for its own reason") {
    struct Case {
        StopReason reason;
        void (*spoil)(Feedback&);
    };
    const std::vector<Case> cases = {
        {StopReason::following_error, [](Feedback& f) { f.axes[0].setpoint_position_m -= 0.012; }},
        {StopReason::following_error, [](Feedback& f) { f.axes[0].setpoint_position_m += 0.012; }},
        {StopReason::feedback_implausible, [](Feedback& f) { f.axes[0].encoder_count += 20'000; }},
        {StopReason::feedback_implausible, [](Feedback& f) { f.device_time_us -= 10'000; }},
        {StopReason::position_limit, [](Feedback& f) { f.axes[0].setpoint_position_m = 0.109; }},
        {StopReason::not_finite, [](Feedback& f) { f.axes[0].setpoint_velocity_m_s = std::nan(""); }},
        {StopReason::not_finite, [](Feedback& f) { f.acceleration_x_m_s2 = std::numeric_limits<double>::infinity(); }},
        {StopReason::not_finite, [](Feedback& f) { f.rotation_count = 1, f.rotation_rad[0] = std::nan(""); }},
        {StopReason::device_state, [](Feedback& f) { f.state = DeviceState::ready; }},
        {StopReason::device_state, [](Feedback& f) { f.state = DeviceState::armed; }},
        {StopReason::device_fault, [](Feedback& f) { f.state = DeviceState::estop; }},
    };
    for (const Case& one : cases) {
        INFO(name(one.reason));
        Bench bench;
        bench.start();
        bench.cycles(60);
        bench.table.step();
        Feedback spoilt = bench.table.feedback;
        one.spoil(spoilt);
        const SupervisorTick tick = bench.supervisor.tick(&spoilt, bench.now, true);
        CHECK(tick.state == SupervisorState::stopping);
        CHECK(tick.send_stop);
        CHECK(bench.supervisor.reason() == one.reason);
    }
}

TEST_CASE("a table that follows something else than was sent is stopped, one that bridges a lost frame is not") {
    for (const double fraction_of_allowed : {0.9, 1.1}) {
        for (const double side : {-1.0, 1.0}) {
            Bench bench;
            bench.start();
            bench.cycles(60);
            bench.table.step();
            Feedback other = bench.table.feedback;
            const auto sent =
                std::find_if(bench.setpoints.begin(), bench.setpoints.end(),
                             [&](const Setpoint& setpoint) { return setpoint.device_time_us == other.device_time_us; });
            REQUIRE(sent != bench.setpoints.end());
            const double allowed_m = 1e-4 + 2e-4 * std::abs(sent->axes[0].velocity_m_s);
            other.axes[0].setpoint_position_m += side * fraction_of_allowed * allowed_m;
            bench.supervisor.tick(&other, bench.now, true);
            const bool stopped = fraction_of_allowed > 1.0;
            CHECK(bench.supervisor.reason() == (stopped ? StopReason::setpoint_differs : StopReason::none));
        }
    }
}

TEST_CASE("between two setpoints the table is compared with the quintic through them") {
    Bench bench;
    bench.start();
    bench.cycles(60);
    const auto& profile = place(solver::sine_acceleration(3.0, kTwoPi * 4.0), true);
    bench.table.step();
    Feedback between = bench.table.feedback;
    between.device_time_us -= 700;
    const double time_s = static_cast<double>(between.device_time_us - kStart_us) * 1e-6;
    between.axes[0].setpoint_position_m = profile.at(time_s).displacement_m;
    CHECK(bench.supervisor.tick(&between, bench.now, true).state == SupervisorState::streaming);
    between.axes[0].setpoint_position_m += 5e-4;
    CHECK(bench.supervisor.tick(&between, bench.now, true).state == SupervisorState::stopping);
}

TEST_CASE("a measured position beyond the stroke stops on either side") {
    for (const double side : {-1.0, 1.0}) {
        const auto machine = firmware_iface::quanser_st_iii();
        FeedbackWatch watch(machine);
        Feedback feedback;
        feedback.axes[0].encoder_count = static_cast<std::int64_t>(side * 107'999);
        feedback.axes[0].setpoint_position_m = side * 0.1075;
        CHECK_FALSE(watch.check(feedback));
        feedback.device_time_us = 2000;
        feedback.axes[0].encoder_count = static_cast<std::int64_t>(side * 108'001);
        REQUIRE(watch.check(feedback));
        CHECK(FeedbackWatch(machine).check(feedback)->reason == StopReason::position_limit);
    }
}

TEST_CASE("after a jump of the table's clock or count a platen that stands is seen to stand") {
    struct Case {
        StopReason reason;
        std::int64_t jump_us;
        std::int64_t jump_counts;
        bool once;
    };
    const std::int64_t hour_us = 3'600'000'000;
    for (const Case& one :
         {Case{StopReason::feedback_implausible, -900'000, 0, false},
          Case{StopReason::feedback_implausible, -900'000, 0, true},
          Case{StopReason::clock_implausible, hour_us, 0, false}, Case{StopReason::clock_implausible, hour_us, 0, true},
          Case{StopReason::clock_implausible, 3'000'000, 0, false},
          Case{StopReason::feedback_implausible, 0, 20'000, false}}) {
        INFO(one.jump_us << " us, " << one.jump_counts << " counts, " << (one.once ? "once" : "for good"));
        Bench bench;
        bench.start();
        bench.cycles(60);
        Feedback held;
        for (int i = 0; i < 500 && bench.supervisor.state() != SupervisorState::failed; ++i) {
            bench.now += std::chrono::microseconds(kPeriod_us);
            bench.table.step();
            if (i == 0) held = bench.table.feedback;
            Feedback spoilt = held;  // the platen stands from now on
            spoilt.device_time_us = bench.table.time_us;
            if (i > 0) spoilt.state = DeviceState::ready;
            if (i == 0 || !one.once) {
                spoilt.device_time_us += static_cast<std::uint64_t>(one.jump_us);
                spoilt.axes[0].encoder_count += one.jump_counts;
            }
            bench.supervisor.tick(&spoilt, bench.now, true);
        }
        CHECK(bench.supervisor.state() == SupervisorState::failed);
        CHECK(bench.supervisor.reason() == one.reason);
        CHECK_FALSE(bench.supervisor.stop_overdue());
        CHECK(bench.supervisor.text().find("emergency stop") == std::string::npos);
    }
}

TEST_CASE("a table whose clock stands still while feedback comes is stopped as soon as one that falls silent") {
    Bench bench;
    bench.start();
    bench.cycles(60);
    const Feedback frozen = bench.table.feedback;
    const auto from = bench.now;
    while (bench.supervisor.reason() == StopReason::none && bench.now - from < std::chrono::seconds(1)) {
        bench.now += std::chrono::microseconds(kPeriod_us);
        bench.supervisor.tick(&frozen, bench.now, true);
    }
    CHECK(bench.supervisor.reason() == StopReason::clock_implausible);
    CHECK(bench.now - from <= std::chrono::milliseconds(50));
}

TEST_CASE("a host that was held up for a long time does not take the table's clock for wrong") {
    Bench bench;
    bench.start();
    bench.cycles(60);
    bench.now += std::chrono::seconds(5);
    Feedback after = bench.table.feedback;
    after.device_time_us += 5'000'000;
    bench.supervisor.tick(&after, bench.now, true);
    CHECK(bench.supervisor.reason() != StopReason::clock_implausible);
}
