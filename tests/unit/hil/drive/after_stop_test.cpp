// What follows a stop: the table holds, is recorded and disarmed, and nothing moves it again by itself.
#include <cmath>

#include "hil/compare/conclusion.hpp"
#include "hil/drive/by_hand.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/driven_run.hpp"
#include "tests/support/host_bench.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using namespace topple::tests;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using firmware_iface::DeviceState;
using firmware_iface::Nanoseconds;

namespace {

hil::experiment::Experiment experiment() {
    return hil::experiment::read_experiment(std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml");
}

struct Stopped {
    TemporaryFolder folder;
    DrivenRun test{experiment(), folder.path()};
    hil::drive::DriveResult result;
    hil::run_log::RunData log;

    /// The operator asks for a stop in the first sleep that `when` says.
    explicit Stopped(const std::function<bool(const hil::sim_table::SimulatedTable&)>& when) {
        test.clock().oversleep = [this, when](std::uint64_t) -> Nanoseconds {
            if (when(test.table())) test.stop_requested().store(true);
            return 0ns;
        };
        result = test.run();
        log = hil::run_log::read_run_log(folder.path() / "run.mcap");
    }
    /// Device time from the last moving setpoint, but not before `from_us`, to the end of the log.
    double held_s(std::uint64_t from_us) const {
        for (const auto& feedback : log.feedback)
            if (feedback.axes[0].setpoint_velocity_m_s != 0.0) from_us = std::max(from_us, feedback.device_time_us);
        return 1e-6 * static_cast<double>(log.feedback.back().device_time_us - from_us);
    }
};

}  // namespace

TEST_CASE("after a stop in motion the table holds where it came to rest for 5 s and does not return") {
    Stopped stopped([](const hil::sim_table::SimulatedTable& table) {
        return table.core().feedback().axes[0].setpoint_velocity_m_s > 0.2;
    });
    CHECK(stopped.result.reason == controller::StopReason::operator_stop);
    CHECK_FALSE(stopped.result.complete);
    CHECK(stopped.held_s(0) >= 5.0);
    CHECK(stopped.held_s(0) <= 5.5);  // settling
    CHECK_FALSE(stopped.log.event_time_us(hil::run_log::EventKind::return_start).has_value());
    CHECK(std::abs(stopped.log.feedback.back().axes[0].setpoint_position_m) > 0.003);
    CHECK(stopped.test.table().core().state() ==
          DeviceState::faulted);  // the stop is latched: only the operator leads on
    REQUIRE(stopped.log.event_time_us(hil::run_log::EventKind::recording_end).has_value());
}

TEST_CASE(
    "a stop while the table holds before the motion is recorded for 5 s, then the table is disarmed where it is") {
    bool moved = false;
    std::uint64_t still_since_us = 0;
    Stopped stopped([&](const hil::sim_table::SimulatedTable& table) {
        const bool moves =
            table.core().feedback().axes[0].setpoint_velocity_m_s != 0.0;  // the gentle move to the start
        moved = moved || moves;
        if (moves || !moved) still_since_us = table.device_time_us();
        return moved && table.device_time_us() > still_since_us + 500'000;
    });
    CHECK(stopped.result.reason == controller::StopReason::operator_stop);
    CHECK_FALSE(stopped.result.complete);
    const auto asked_us = stopped.log.event_time_us(hil::run_log::EventKind::stop_requested);
    REQUIRE(asked_us.has_value());
    CHECK(stopped.held_s(*asked_us) >= 4.99);
    CHECK(stopped.held_s(*asked_us) <= 5.1);
    CHECK(stopped.test.table().core().state() == DeviceState::ready);
    CHECK_FALSE(stopped.log.event_time_us(hil::run_log::EventKind::motion_start).has_value());
}

TEST_CASE("the operator's wish after the motion ends the recording, and the test counts") {
    bool moved = false;
    std::uint64_t still_since_us = 0;
    Stopped stopped([&](const hil::sim_table::SimulatedTable& table) {
        const bool moves = table.core().feedback().axes[0].setpoint_velocity_m_s > 0.2;
        moved = moved || moves;
        if (moves || !moved) still_since_us = table.device_time_us();
        return moved && table.device_time_us() > still_since_us + 1'000'000;
    });
    CHECK(stopped.result.reason == controller::StopReason::none);
    CHECK(stopped.result.complete);
    CHECK(stopped.result.shortened);
    CHECK_THAT(stopped.result.text, ContainsSubstring("the table stays where it is"));
    const auto cut_us = stopped.log.event_time_us(hil::run_log::EventKind::recording_cut);
    REQUIRE(cut_us.has_value());
    CHECK(stopped.log.event_time_us(hil::run_log::EventKind::recording_end) == cut_us);
    CHECK_FALSE(stopped.log.event_time_us(hil::run_log::EventKind::stop_requested).has_value());
    CHECK_FALSE(stopped.log.event_time_us(hil::run_log::EventKind::return_start).has_value());
    CHECK(stopped.held_s(*cut_us) <= 0.1);
    CHECK(stopped.test.table().core().state() == DeviceState::ready);  // disarmed, nothing latched
    CHECK(stopped.test.flight().incidents().empty());
    const hil::compare::Conclusion concluded = hil::compare::conclude(experiment(), stopped.log, {});
    CHECK(concluded.status == hil::compare::RunStatus::completed);
    REQUIRE(concluded.shortened_s.has_value());
    CHECK(*concluded.shortened_s > 1.0);
    CHECK(*concluded.shortened_s < 2.0);
    CHECK_THAT(hil::compare::caveat(concluded), ContainsSubstring("the operator ended"));
    CHECK(concluded.specimens.at(0).measured.outcome.has_value());
}

TEST_CASE("a stop on the way back leaves a complete test") {
    bool recorded = false, moved = false;
    std::uint64_t still_since_us = 0;
    Stopped stopped([&](const hil::sim_table::SimulatedTable& table) {
        const double v_m_s = table.core().feedback().axes[0].setpoint_velocity_m_s;
        moved = moved || v_m_s > 0.2;
        if (v_m_s != 0.0) {
            if (recorded) return true;
            still_since_us = table.device_time_us();
        }
        recorded = recorded || (moved && table.device_time_us() > still_since_us + 500'000);
        return false;
    });
    CHECK(stopped.result.reason == controller::StopReason::operator_stop);
    CHECK(stopped.result.complete);
    CHECK(stopped.log.event_time_us(hil::run_log::EventKind::return_start).has_value());
    CHECK_FALSE(stopped.log.event_time_us(hil::run_log::EventKind::return_done).has_value());
}

TEST_CASE("a host that comes back does not resume a stopped motion") {
    Stopped stopped([](const hil::sim_table::SimulatedTable& table) {
        return table.core().feedback().axes[0].setpoint_velocity_m_s > 0.2;
    });
    auto& table = stopped.test.table();
    auto [host, device] = firmware_iface::make_pipe();
    table.connect(std::move(device));
    firmware_iface::TableLink again(std::move(host), stopped.test.clock(), 2);
    again.connect();
    const double held_m = table.core().feedback().axes[0].setpoint_position_m;
    CHECK(again.arm(again.device().configuration_hash).refusal == firmware_iface::RefusalCode::fault_latched);
    stopped.test.clock().sleep_for(1s);
    CHECK(table.core().state() == DeviceState::faulted);
    CHECK(table.core().feedback().axes[0].setpoint_position_m == held_m);
}

TEST_CASE("a move by hand that is stopped is held for 5 s where it came to rest") {
    test::HostBench bench;
    std::atomic<bool> stop{false};
    std::uint64_t moving_us = 0;
    bench.clock.set_on_advance([&](Nanoseconds now) {
        bench.table->advance_to(now);
        if (bench.table->core().feedback().axes[0].setpoint_velocity_m_s == 0.0) return;
        moving_us = bench.table->device_time_us();
        if (bench.table->core().feedback().axes[0].setpoint_position_m > 0.01) stop.store(true);
    });
    bench.link->connect();
    CHECK_THROWS_WITH(hil::drive::move_table(*bench.link, bench.clock, bench.machine, 0.05, stop),
                      ContainsSubstring("the operator requested a stop"));
    const double held_s = 1e-6 * static_cast<double>(bench.table->device_time_us() - moving_us);
    CHECK(held_s >= 5.0);
    CHECK(held_s <= 5.5);
    CHECK(bench.table->core().feedback().axes[0].setpoint_position_m < 0.02);
    CHECK(bench.table->core().state() == DeviceState::faulted);
}
