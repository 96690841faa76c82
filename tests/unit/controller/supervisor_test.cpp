#include "controller/supervisor.hpp"

#include <cmath>

#include "tests/support/supervisor_bench.hpp"

using namespace topple;
using namespace topple::test;
using Bench = topple::test::SupervisorBench;

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
        for (auto batch = tight.due(); !batch.empty(); batch = tight.due())
            table.accept(batch), tight.sent(batch.size());
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
    CHECK(bench.supervisor.reason() == StopReason::link_closed);
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
    CHECK(refusal([](Bench& b) { b.setpoints[5].axes[0].position_m = std::nan(""); }) ==
          StartRefusal::setpoints_malformed);
    CHECK(refusal([](Bench& b) { std::swap(b.setpoints[5], b.setpoints[6]); }) == StartRefusal::setpoints_malformed);
    CHECK(refusal([](Bench& b) { b.settings.setpoint_capacity = 8; }) == StartRefusal::queue_too_small);
    CHECK(refusal([](Bench& b) { b.table.feedback.fault_code = 7; }) == StartRefusal::fault_latched);
    CHECK(refusal([](Bench& b) { b.table.feedback.state = DeviceState::ready; }) == StartRefusal::not_armed);
    CHECK(refusal([](Bench& b) { b.table.feedback.device_time_us = kStart_us + 1; }) == StartRefusal::start_in_past);
    CHECK(refusal([](Bench& b) { b.table.place(0.0); }) == StartRefusal::table_elsewhere);
    CHECK(refusal([](Bench& b) { b.table.feedback.axes[0].setpoint_position_m = 0.05; }) ==
          StartRefusal::feedback_unsound);
}
