#include "controller/supervisor.hpp"

#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <vector>

#include "controller/profile/profile.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::controller;
using firmware_iface::DeviceState;
using firmware_iface::Feedback;
using firmware_iface::Setpoint;

namespace {

constexpr double kTwoPi = 6.283185307179586;
constexpr std::uint64_t kPeriod_us = 2000;
constexpr std::uint64_t kStart_us = 1'000'000;

/// Just enough of a table for the supervisor: follows its queue, says how full it is, stops on command.
struct TinyTable {
    std::uint64_t time_us = kStart_us - 20'000;
    std::deque<Setpoint> queue;
    std::size_t most_queued = 0;
    Feedback feedback;
    bool stop_seen = false;

    explicit TinyTable(double position_m) {
        feedback.state = DeviceState::armed;
        place(position_m);
    }
    void place(double position_m) {
        feedback.axes[0].encoder_count = std::llround(position_m * 1e6);
        feedback.axes[0].setpoint_position_m = position_m;
    }
    void accept(std::span<const Setpoint> batch) {
        queue.insert(queue.end(), batch.begin(), batch.end());
        most_queued = std::max(most_queued, queue.size());
    }
    void step() {
        time_us += kPeriod_us;
        feedback.device_time_us = time_us;
        if (feedback.state == DeviceState::armed && time_us >= kStart_us && !feedback.motion_done)
            feedback.state = DeviceState::running;
        while (!queue.empty() && queue.front().device_time_us <= time_us) {
            place(queue.front().axes[0].position_m);
            feedback.motion_done = queue.front().final;
            queue.pop_front();
        }
        feedback.queue_level = static_cast<std::uint32_t>(queue.size());
    }
};

/// A supervisor at work on a 4 Hz sine.
struct Bench {
    firmware_iface::MachineDescription machine = firmware_iface::quanser_st_iii();
    std::vector<Setpoint> setpoints =
        controller::setpoints(place(solver::sine_acceleration(3.0, kTwoPi * 4.0), true), kStart_us, kPeriod_us);
    SupervisorSettings settings{kPeriod_us, 40'000, 256};
    std::atomic<bool> stop_requested{false};
    TinyTable table{setpoints.front().axes[0].position_m};
    Supervisor supervisor{setpoints, machine, settings, stop_requested};
    firmware_iface::Nanoseconds now{0};
    int stop_frames = 0;

    void send() {
        while (true) {
            const auto batch = supervisor.due();
            if (batch.empty()) return;
            REQUIRE(batch.size() <= firmware_iface::TableLink::kBatchMax);
            table.accept(batch);
            supervisor.sent(batch.size());
        }
    }
    void start() {
        table.step();
        send();
        REQUIRE(supervisor.begin(table.feedback, now) == StartRefusal::none);
    }
    SupervisorTick cycle(bool heard = true, bool open = true) {
        now += std::chrono::microseconds(kPeriod_us);
        if (heard) table.step();
        const SupervisorTick tick = supervisor.tick(heard ? &table.feedback : nullptr, now, open);
        if (tick.send_stop) ++stop_frames;
        send();
        return tick;
    }
    void cycles(int count) {
        for (int i = 0; i < count; ++i) cycle();
    }
};

}  // namespace

TEST_CASE("an undisturbed motion is streamed to its end and done") {
    Bench bench;
    bench.start();
    int cycles = 0;
    while (bench.supervisor.state() == SupervisorState::streaming && cycles < 1000) bench.cycle(), ++cycles;
    CHECK(bench.supervisor.state() == SupervisorState::done);
    CHECK(cycles == Approx(134).margin(3));  // 18 ms before the start and 250 ms of motion
    CHECK(bench.stop_frames == 0);
    CHECK(bench.table.most_queued <= 22 + 16);
    bench.cycles(50);
    CHECK(bench.supervisor.state() == SupervisorState::done);
    CHECK(bench.supervisor.text() == "done");
}

TEST_CASE("the table's queue never runs dry nor over, also when feedback comes in gulps") {
    Bench bench;
    bench.settings.setpoint_capacity = 20;
    Supervisor tight(bench.setpoints, bench.machine, bench.settings, bench.stop_requested);
    TinyTable table(bench.setpoints.front().axes[0].position_m);
    const auto send = [&] {
        for (auto batch = tight.due(); !batch.empty(); batch = tight.due()) table.accept(batch), tight.sent(batch.size());
    };
    table.step();
    send();
    REQUIRE(tight.begin(table.feedback, bench.now) == StartRefusal::none);
    for (int i = 0; i < 200 && tight.state() == SupervisorState::streaming; ++i) {
        table.step();
        bench.now += std::chrono::microseconds(kPeriod_us);
        tight.tick(i % 4 == 3 ? &table.feedback : nullptr, bench.now, true);
        send();
        CHECK((table.queue.size() > 0 || table.feedback.motion_done));
    }
    CHECK(tight.state() == SupervisorState::done);
    CHECK(table.most_queued <= 20);
}

TEST_CASE("an operator's stop is sent at once, ends the stream for good and is over when the table rests") {
    Bench bench;
    bench.start();
    bench.cycles(60);
    bench.stop_requested = true;
    CHECK(bench.cycle().send_stop);
    CHECK(bench.supervisor.state() == SupervisorState::stopping);
    CHECK(bench.supervisor.reason() == StopReason::operator_stop);
    CHECK(bench.supervisor.due().empty());
    bench.table.queue.clear();
    bench.table.feedback.state = DeviceState::stopping;
    bench.table.feedback.fault_code = 1;
    bench.cycles(30);
    CHECK(bench.supervisor.state() == SupervisorState::stopping);
    bench.table.feedback.state = DeviceState::faulted;
    bench.cycle();
    CHECK(bench.supervisor.state() == SupervisorState::failed);
    CHECK(bench.supervisor.reason() == StopReason::operator_stop);
    bench.stop_requested = false;
    CHECK(bench.supervisor.begin(bench.table.feedback, bench.now) == StartRefusal::already_begun);
    CHECK(bench.supervisor.due().empty());
    CHECK(bench.stop_frames == 1);
}

TEST_CASE("a stop the table does not heed is repeated, and overdue in the end") {
    Bench bench;
    bench.start();
    bench.cycles(60);
    bench.supervisor.stop(StopReason::log_failure);
    bench.cycles(40);
    CHECK(bench.stop_frames == 4);
    CHECK(bench.supervisor.state() == SupervisorState::stopping);
    bench.cycles(1000);
    CHECK(bench.supervisor.state() == SupervisorState::failed);
    CHECK(bench.supervisor.stop_overdue());
    CHECK(bench.supervisor.reason() == StopReason::log_failure);
    CHECK(bench.supervisor.text().find("emergency stop") != std::string::npos);
}

TEST_CASE("a fault of the device is taken over with its code") {
    Bench bench;
    bench.start();
    bench.cycles(60);
    bench.table.feedback.fault_code = 10;
    bench.table.feedback.state = DeviceState::faulted;
    bench.cycle();
    CHECK(bench.supervisor.state() == SupervisorState::stopping);
    bench.table.queue.clear();
    bench.cycles(15);
    CHECK(bench.supervisor.state() == SupervisorState::failed);
    CHECK(bench.supervisor.reason() == StopReason::device_fault);
    CHECK(bench.supervisor.fault_code() == 10);
    CHECK(bench.supervisor.text() == "failed: the table reported a fault (drive_fault)");
}

TEST_CASE("a graver fault on the way to rest does not hide the first one") {
    Bench bench;
    bench.start();
    bench.cycles(60);
    bench.table.feedback.fault_code = 7;
    bench.table.feedback.state = DeviceState::stopping;
    bench.cycles(5);
    bench.table.feedback.fault_code = 13;
    bench.table.feedback.state = DeviceState::faulted;
    bench.table.queue.clear();
    bench.cycles(15);
    CHECK(bench.supervisor.state() == SupervisorState::failed);
    CHECK(bench.supervisor.fault_code() == 7);
    CHECK(bench.supervisor.text() == "failed: the table reported a fault (following_error, then stop_overdue)");
}

TEST_CASE("silence is tolerated for look-ahead and three periods, not longer") {
    Bench bench;
    bench.start();
    bench.cycles(20);
    for (int i = 0; i < 23; ++i) bench.cycle(false);
    CHECK(bench.supervisor.state() == SupervisorState::streaming);
    CHECK(bench.cycle(false).send_stop);
    CHECK(bench.supervisor.state() == SupervisorState::failed);
    CHECK(bench.supervisor.reason() == StopReason::link_lost);
}

TEST_CASE("a closed link ends the motion at once") {
    Bench bench;
    bench.start();
    bench.cycle(true, false);
    CHECK(bench.supervisor.state() == SupervisorState::failed);
    CHECK(bench.supervisor.reason() == StopReason::link_lost);
}

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
            const auto sent = std::find_if(bench.setpoints.begin(), bench.setpoints.end(), [&](const Setpoint& setpoint) {
                return setpoint.device_time_us == other.device_time_us;
            });
            REQUIRE(sent != bench.setpoints.end());
            const double allowed_m = 1e-4 + 2e-4 * std::abs(sent->axes[0].velocity_m_s);
            other.axes[0].setpoint_position_m += side * fraction_of_allowed * allowed_m;
            bench.supervisor.tick(&other, bench.now, true);
            const bool stopped = fraction_of_allowed > 1.0;
            CHECK(bench.supervisor.reason() == (stopped ? StopReason::setpoint_differs : StopReason::none));
        }
    }
}

TEST_CASE("between two setpoints the table is held against the quintic through them") {
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

TEST_CASE("a device that never says the motion is done is overdue") {
    Bench bench;
    bench.start();
    for (int i = 0; i < 1000 && bench.supervisor.state() == SupervisorState::streaming; ++i) {
        bench.cycle();
        bench.table.feedback.motion_done = false;
        bench.table.feedback.state = DeviceState::running;
        for (Setpoint& waiting : bench.table.queue) waiting.final = false;
    }
    CHECK(bench.supervisor.reason() == StopReason::motion_overdue);
}

TEST_CASE("a flag left over from the last motion does not end this one") {
    Bench bench;
    bench.table.feedback.motion_done = true;
    bench.start();
    bench.table.feedback.motion_done = false;
    bench.cycles(3);
    CHECK(bench.supervisor.state() == SupervisorState::streaming);
}

TEST_CASE("what is against a start is said") {
    const auto refusal = [](auto&& spoil) {
        Bench bench;
        bench.table.step();
        spoil(bench);
        Supervisor supervisor(bench.setpoints, bench.machine, bench.settings, bench.stop_requested);
        return supervisor.begin(bench.table.feedback, bench.now);
    };
    CHECK(refusal([](Bench&) {}) == StartRefusal::none);
    CHECK(refusal([](Bench& b) { b.stop_requested = true; }) == StartRefusal::stop_requested);
    CHECK(refusal([](Bench& b) { b.setpoints.clear(); }) == StartRefusal::no_setpoints);
    CHECK(refusal([](Bench& b) { b.setpoints.back().final = false; }) == StartRefusal::setpoints_malformed);
    CHECK(refusal([](Bench& b) { b.setpoints[5].axes[0].position_m = std::nan(""); }) == StartRefusal::setpoints_malformed);
    CHECK(refusal([](Bench& b) { std::swap(b.setpoints[5], b.setpoints[6]); }) == StartRefusal::setpoints_malformed);
    CHECK(refusal([](Bench& b) { b.settings.setpoint_capacity = 8; }) == StartRefusal::queue_too_small);
    CHECK(refusal([](Bench& b) { b.table.feedback.fault_code = 7; }) == StartRefusal::fault_latched);
    CHECK(refusal([](Bench& b) { b.table.feedback.state = DeviceState::ready; }) == StartRefusal::not_armed);
    CHECK(refusal([](Bench& b) { b.table.feedback.device_time_us = kStart_us + 1; }) == StartRefusal::start_in_past);
    CHECK(refusal([](Bench& b) { b.table.place(0.0); }) == StartRefusal::table_elsewhere);
    CHECK(refusal([](Bench& b) { b.table.feedback.axes[0].setpoint_position_m = 0.05; }) == StartRefusal::feedback_unsound);
}
