#include "firmware_iface/device/device_core.hpp"

#include <limits>

#include "tests/support/catch.hpp"
#include "tests/support/device_bench.hpp"

using namespace topple::firmware_iface;
using topple::test::DeviceBench;

namespace {
const double kStop = quanser_st_iii().stop_deceleration_m_s2;
constexpr double kThreePeriods_s = 6e-3;

bool stopped(const DeviceBench& bench) {
    return bench.core.state() == DeviceState::faulted && bench.core.setpoint().velocity_m_s == 0.0;
}

/// Runs until at rest; checks that it ended within v / stop_deceleration + 3 periods and inside the stroke.
void check_controlled_stop(DeviceBench& bench, FaultCode code, double velocity_m_s) {
    const std::uint64_t from = bench.now_us;
    REQUIRE(bench.run_until([&] { return stopped(bench); }, 1.0));
    CHECK(1e-6 * static_cast<double>(bench.now_us - from) <= std::abs(velocity_m_s) / kStop + kThreePeriods_s);
    CHECK(bench.core.fault() == code);
    CHECK(bench.core.drive_enabled());
    CHECK(bench.largest_m <= quanser_st_iii().stroke_m);
    const double held = bench.core.setpoint().position_m;
    bench.run(0.05);
    CHECK(bench.core.setpoint().position_m == held);
    CHECK(bench.core.feedback().queue_level == 0);
}

/// In the middle of a swing, at its peak velocity, with the rest of it queued.
void swing_to_peak_velocity(DeviceBench& bench, double direction = 1.0) {
    bench.start_swing(direction * 0.06, 5.0, 0.18);
    REQUIRE(bench.refusal == RefusalCode::none);
    bench.run(0.06);
    REQUIRE(bench.core.state() == DeviceState::running);
    REQUIRE(direction * bench.core.setpoint().velocity_m_s == Approx(0.03 * 2 * std::numbers::pi * 5.0).epsilon(1e-3));
}
}  // namespace

TEST_CASE("A motion from start to final ends armed, done and holding, and can be followed by another") {
    DeviceBench bench;
    for (double travel : {0.04, -0.04}) {
        const double from = bench.core.setpoint().position_m;
        bench.start_swing(travel, 5.0, 0.1, true);
        REQUIRE(bench.refusal == RefusalCode::none);
        CHECK_FALSE(bench.core.motion_done());
        REQUIRE(bench.run_until([&] { return bench.core.motion_done(); }, 1.0));
        CHECK(bench.core.state() == DeviceState::armed);
        bench.run(0.1);
        CHECK(bench.core.motion_done());
        CHECK(bench.core.setpoint().position_m == Approx(from + travel).margin(1e-9));
    }
    CHECK(bench.core.fault() == FaultCode::none);
    CHECK(bench.core.disarm() == RefusalCode::none);
    CHECK(bench.core.state() == DeviceState::ready);
}

TEST_CASE("A stop at peak velocity ends in time whatever the queue holds, latched and holding") {
    for (int variant = 0; variant < 3; ++variant) {
        DeviceBench bench;
        swing_to_peak_velocity(bench);
        const double v = bench.core.setpoint().velocity_m_s;
        if (variant == 1)
            for (int i = 0; i < 10; ++i) bench.core.push(DeviceBench::setpoint(bench.now_us + 500000u + i, 0.0));
        bench.core.request_stop();
        if (variant == 2)
            for (int i = 0; i < 10; ++i) bench.core.push(DeviceBench::setpoint(bench.now_us + 500000u + i, 0.0));
        check_controlled_stop(bench, FaultCode::operator_stop, v);
        CHECK(bench.core.clear() == RefusalCode::none);
        CHECK(bench.core.state() == DeviceState::ready);
        CHECK(bench.core.fault() == FaultCode::none);
    }
}

TEST_CASE("A stop is planned from the interpolated setpoint: no jump of position or velocity") {
    DeviceBench bench;
    swing_to_peak_velocity(bench);
    const auto before = bench.core.setpoint();
    bench.core.request_stop();
    bench.tick();
    const auto after = bench.core.setpoint();
    CHECK(bench.core.state() == DeviceState::stopping);
    CHECK(after.position_m - before.position_m == Approx(before.velocity_m_s * 1e-4).epsilon(0.01));
    CHECK(std::abs(after.velocity_m_s - before.velocity_m_s) < 1.1 * kStop * 2e-4);
    CHECK(after.acceleration_m_s2 == -kStop);
}

TEST_CASE("Setpoints that end without a final one are an underrun, answered within a cycle") {
    DeviceBench bench;
    const auto start = bench.start_swing(0.06, 5.0, 0.05);
    bench.run_until([&] { return bench.core.state() != DeviceState::running; }, 1.0);
    CHECK(bench.now_us - (start + 50000) <= 200);
    check_controlled_stop(bench, FaultCode::queue_underrun, 0.95);
}

TEST_CASE("A silent host is lost after the look-ahead and three periods, queued motion goes on until then") {
    DeviceBench bench;
    bench.start_swing(0.06, 5.0, 0.19);
    bench.run(0.03);
    bench.alive = false;
    const auto silent_from = bench.now_us;
    bench.run_until([&] { return bench.core.state() != DeviceState::running; }, 1.0);
    CHECK(bench.now_us - silent_from >= 46000);
    CHECK(bench.now_us - silent_from <= 46200);
    check_controlled_stop(bench, FaultCode::host_lost, bench.core.setpoint().velocity_m_s);
}

TEST_CASE("The end of the stream stops a motion at the next cycle and disturbs nothing that only holds") {
    DeviceBench bench;
    bench.core.host_gone();
    bench.run(0.01);
    CHECK(bench.core.state() == DeviceState::ready);
    swing_to_peak_velocity(bench);
    const double v = bench.core.setpoint().velocity_m_s;
    bench.core.host_gone();
    check_controlled_stop(bench, FaultCode::host_lost, v);
}

TEST_CASE("An armed device that hears nothing for half a second is stopped as well") {
    DeviceBench bench;
    bench.core.arm(77);
    bench.alive = false;
    bench.run(0.4);
    CHECK(bench.core.state() == DeviceState::armed);
    bench.run(0.2);
    CHECK(bench.core.fault() == FaultCode::host_lost);
}

TEST_CASE("Commands are refused where they do not belong, each with its reason") {
    DeviceBench bench;
    CHECK(bench.core.arm(78) == RefusalCode::configuration_mismatch);
    CHECK(bench.core.start(bench.now_us, false) == RefusalCode::wrong_state);
    CHECK(bench.core.arm(77) == RefusalCode::none);
    CHECK(bench.core.start(bench.now_us + 1000, false) == RefusalCode::no_setpoints);
    CHECK(bench.core.home() == RefusalCode::wrong_state);
    const auto t = bench.now_us + 5000;
    bench.core.push(DeviceBench::setpoint(t, 0.0));
    bench.run(0.01);
    CHECK(bench.core.start(t, false) == RefusalCode::start_in_past);
    CHECK(bench.core.state() == DeviceState::armed);
    bench.core.request_stop();
    bench.run(0.01);
    CHECK(bench.core.arm(77) == RefusalCode::fault_latched);
    CHECK(bench.core.home() == RefusalCode::fault_latched);

    DeviceBench unhomed(false);
    CHECK(unhomed.core.state() == DeviceState::idle);
    CHECK(unhomed.core.arm(77) == RefusalCode::not_homed);
    CHECK_FALSE(unhomed.command.enable);
}

TEST_CASE("A start elsewhere than where the table is, moving, or at another time moves nothing and is latched") {
    struct Case { double x, v; std::uint64_t late_us; FaultCode code; };
    const Case cases[] = {{30e-6, 0.0, 0, FaultCode::setpoint_jump},
                          {-30e-6, 0.0, 0, FaultCode::setpoint_jump},
                          {0.0, 0.01, 0, FaultCode::setpoint_jump},
                          {0.0, 0.0, 1, FaultCode::setpoint_time}};
    for (const Case& c : cases) {
        DeviceBench bench;
        bench.core.arm(77);
        const auto t = bench.now_us + 5000;
        bench.core.push(DeviceBench::setpoint(t, c.x, c.v));
        CHECK(bench.core.start(t + c.late_us, false) == RefusalCode::fault_latched);
        bench.run(0.02);
        CHECK(bench.core.fault() == c.code);
        CHECK(bench.core.setpoint().position_m == 0.0);
        CHECK(bench.core.state() == DeviceState::faulted);
    }
    DeviceBench bench;
    bench.core.arm(77);
    bench.core.push(DeviceBench::setpoint(bench.now_us + 5000, 15e-6));
    CHECK(bench.core.start(bench.now_us + 5000, false) == RefusalCode::none);
}

TEST_CASE("Setpoints beyond a limit, of wrong time, jumping or too many stop a motion, both signs") {
    struct Case { double x, v, a; FaultCode code; };
    const Case cases[] = {{0.109, 0.0, 0.0, FaultCode::position_limit}, {0.0, 2.6, 0.0, FaultCode::position_limit},
                          {0.1, 1.0, 0.0, FaultCode::position_limit},   {0.0, 0.0, 32.0, FaultCode::acceleration_limit}};
    for (double sign : {1.0, -1.0})
        for (const Case& c : cases) {
            DeviceBench bench;
            swing_to_peak_velocity(bench);
            const double v = bench.core.setpoint().velocity_m_s;
            bench.core.push(DeviceBench::setpoint(bench.now_us + 400000, sign * c.x, sign * c.v, sign * c.a));
            check_controlled_stop(bench, c.code, v);
        }
    DeviceBench late;
    swing_to_peak_velocity(late);
    late.core.push(DeviceBench::setpoint(late.now_us, 0.0));
    check_controlled_stop(late, FaultCode::setpoint_time, 0.95);
    DeviceBench full;
    swing_to_peak_velocity(full);
    for (std::size_t i = 0; i <= kSetpointCapacity; ++i)
        full.core.push(DeviceBench::setpoint(full.now_us + 400000 + i, 0.0));
    check_controlled_stop(full, FaultCode::queue_overflow, 0.95);
}

TEST_CASE("What the quintic does between innocent knots is checked every cycle") {
    struct Case { double x, after_s; FaultCode code; };
    // Rest to rest over x in a short time: peak velocity 1.875 x/T, peak acceleration 5.77 x/T^2.
    const Case cases[] = {{0.05, 0.05, FaultCode::acceleration_limit}, {-0.05, 0.05, FaultCode::acceleration_limit}};
    for (const Case& c : cases) {
        DeviceBench bench;
        bench.core.arm(77);
        const auto t = bench.now_us + 2000;
        bench.core.push(DeviceBench::setpoint(t, 0.0));
        bench.core.push(DeviceBench::setpoint(t + static_cast<std::uint64_t>(1e6 * c.after_s), c.x, 0.0, 0.0, true));
        REQUIRE(bench.core.start(t, false) == RefusalCode::none);
        bench.run_until([&] { return bench.core.state() != DeviceState::running; });
        check_controlled_stop(bench, c.code, 1.0);
    }
}

TEST_CASE("A stop whose path would leave the stroke is begun before it is too late, also with slow control cycles") {
    for (std::uint32_t cycle_us : {100u, 1000u, 2000u}) {
        DeviceBench bench(true, cycle_us);
        bench.core.arm(77);
        const auto t = bench.now_us + 2000;
        bench.core.push(DeviceBench::setpoint(t, 0.0));
        // Ends inside the stroke but brakes at 25 m/s2 there: the slower controlled stop would not.
        bench.core.push(DeviceBench::setpoint(t + 157000, 0.1075, 0.0, 0.0, true));
        REQUIRE(bench.core.start(t, false) == RefusalCode::none);
        bench.run_until([&] { return bench.core.state() != DeviceState::running; });
        check_controlled_stop(bench, FaultCode::position_limit, 2.0);
    }
}

TEST_CASE("A platen that itself is too fast, shaken too hard or too far out is a fault even if the commands are right") {
    for (double sign : {1.0, -1.0}) {
        DeviceBench fast;
        fast.follows = false;
        fast.disturb = [=](Measurement& m) { m.encoder_count += static_cast<std::int64_t>(sign * 350); };  // 3.5 m/s
        fast.run_until([&] { return fast.core.fault() != FaultCode::none; }, 0.0025);
        CHECK(fast.core.fault() == FaultCode::velocity_limit);
        fast.run(0.002);  // it does not obey the stop either
        CHECK(fast.core.fault() == FaultCode::stop_overdue);

        DeviceBench shaken;
        shaken.disturb = [=](Measurement& m) { m.acceleration_x_m_s2 = sign * 60.0; };
        shaken.run(0.001);
        CHECK(shaken.core.fault() == FaultCode::none);  // an impact is shorter than the filter
        shaken.run(0.02);
        CHECK(shaken.core.fault() == FaultCode::acceleration_limit);

        DeviceBench far;
        far.start_swing(sign * 0.1075, 2.5, 0.2, true);
        REQUIRE(far.run_until([&] { return far.core.motion_done(); }, 1.0));
        far.follows = false;
        far.disturb = [=](Measurement& m) { m.encoder_count += static_cast<std::int64_t>(sign * 10); };
        far.run_until([&] { return far.core.fault() != FaultCode::none; }, 0.2);
        CHECK(far.core.fault() == FaultCode::following_error);  // holding at 107.5 mm, 117.5 mm comes first
    }
    const auto limits = limits_of(quanser_st_iii());
    CHECK(check_actual(limits, {0.1181, 0.0, 0.0}) == FaultCode::position_limit);
    CHECK(check_actual(limits, {-0.1181, 0.0, 0.0}) == FaultCode::position_limit);
    CHECK(check_actual(limits, {0.1179, 0.0, 0.0}) == FaultCode::none);
    CHECK(check_actual(limits, {std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0}) == FaultCode::position_limit);
}

TEST_CASE("NaN or infinity in a setpoint or measurement takes the drive off and sets the brake") {
    const double bad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
    for (double value : bad)
        for (int where = 0; where < 5; ++where) {
            DeviceBench bench;
            swing_to_peak_velocity(bench);
            const auto t = bench.now_us + 400000;
            if (where == 0) bench.core.push(DeviceBench::setpoint(t, value));
            if (where == 1) bench.core.push(DeviceBench::setpoint(t, 0.0, value));
            if (where == 2) bench.core.push(DeviceBench::setpoint(t, 0.0, 0.0, value));
            if (where == 3) bench.disturb = [&](Measurement& m) { m.acceleration_y_m_s2 = value; };
            if (where == 4) bench.disturb = [&](Measurement& m) { m.rotation_count = 1, m.rotation_rad[0] = value; };
            bench.tick();
            CHECK(bench.core.fault() == FaultCode::not_finite);
            const Feedback told = bench.core.feedback();  // in numbers: what is none is absent
            CHECK(told.acceleration_y_m_s2.has_value() == (where != 3));
            CHECK(told.rotation_count == 0);
            CHECK_FALSE(bench.command.enable);
            CHECK(bench.command.brake);
            CHECK(std::isfinite(bench.command.setpoint.position_m));
        }
}

TEST_CASE("Drive, limit switch, encoder and a stalled loop are S0 faults, latched until cleared") {
    struct Case { FaultCode code; bool keeps_home; void (*break_it)(Measurement&); };
    const Case cases[] = {
        {FaultCode::drive_fault, true, [](Measurement& m) { m.drive_ok = false; }},
        {FaultCode::limit_switch, true, [](Measurement& m) { m.limit_pressed = true; }},
        {FaultCode::encoder_implausible, false, [](Measurement& m) { m.encoder_count += 5000; }},
    };
    for (const Case& c : cases) {
        DeviceBench bench;
        swing_to_peak_velocity(bench);
        bench.disturb = c.break_it;
        bench.tick();
        CHECK(bench.core.fault() == c.code);
        CHECK(bench.core.state() == DeviceState::faulted);
        CHECK_FALSE(bench.command.enable);
        CHECK(bench.command.brake);
        if (c.keeps_home) CHECK(bench.core.clear() == RefusalCode::fault_latched);  // still there
        bench.disturb = [](Measurement& m) { m.drive_ok = true, m.limit_pressed = false; };
        bench.run(0.01);
        CHECK(bench.core.fault() == c.code);
        CHECK(bench.core.clear() == RefusalCode::none);
        CHECK(bench.core.state() == (c.keeps_home ? DeviceState::ready : DeviceState::idle));
        bench.tick();
        CHECK(bench.core.setpoint().position_m == Approx(bench.core.measured().position_m).margin(2e-6));
    }
    DeviceBench stalled;
    swing_to_peak_velocity(stalled);
    stalled.now_us += 20000;
    stalled.tick();
    CHECK(stalled.core.fault() == FaultCode::watchdog);
    CHECK_FALSE(stalled.command.enable);
}

TEST_CASE("A stuck encoder takes the drive off before the setpoint has gone two millimetres") {
    DeviceBench bench;
    bench.start_swing(0.06, 5.0, 0.19);
    bench.run(0.03);
    const auto stuck = bench.measurement.encoder_count;
    const double from = bench.core.setpoint().position_m;
    bench.disturb = [&](Measurement& m) { m.encoder_count = stuck; };
    REQUIRE(bench.run_until([&] { return !bench.command.enable; }, 0.1));
    CHECK(bench.core.fault() == FaultCode::encoder_implausible);
    CHECK(std::abs(bench.core.measured().position_m - from) < 2e-3);
}

TEST_CASE("A platen that lags too far behind is stopped, either way, also while it only holds") {
    for (double sign : {1.0, -1.0}) {
        DeviceBench bench;
        bench.start_swing(sign * 0.06, 5.0, 0.19);
        bench.follows = false;
        // Follows at half the distance: moves, but falls behind.
        bench.disturb = [&](Measurement& m) {
            m.encoder_count = std::llround(0.5e6 * bench.core.setpoint().position_m);
        };
        bench.run_until([&] { return bench.core.state() != DeviceState::running; }, 1.0);
        CHECK(bench.core.fault() == FaultCode::following_error);
        CHECK(std::abs(bench.core.setpoint().position_m) == Approx(0.02).margin(1e-3));
        CHECK(bench.command.enable);
    }
    DeviceBench holding;
    holding.follows = false;
    holding.disturb = [](Measurement& m) { m.encoder_count = std::min<std::int64_t>(m.encoder_count + 100, 12000); };
    holding.run(0.02);
    CHECK(holding.core.fault() == FaultCode::following_error);
}

TEST_CASE("The emergency stop outranks a controlled stop and stays latched after the button is out") {
    DeviceBench bench;
    swing_to_peak_velocity(bench);
    bench.core.request_stop();
    bench.run(0.01);
    bench.disturb = [](Measurement& m) { m.estop_pressed = true; };
    bench.run(0.01);
    CHECK(bench.core.state() == DeviceState::estop);
    CHECK(bench.core.fault() == FaultCode::emergency_stop);
    CHECK(bench.core.clear() == RefusalCode::fault_latched);
    bench.disturb = [](Measurement& m) { m.estop_pressed = false; };
    bench.run(0.01);
    CHECK(bench.core.state() == DeviceState::faulted);
    CHECK_FALSE(bench.command.enable);
    CHECK(bench.core.clear() == RefusalCode::none);
    CHECK(bench.core.state() == DeviceState::ready);
}

TEST_CASE("A stop that does not come to rest takes the drive off") {
    DeviceBench bench;
    swing_to_peak_velocity(bench);
    bench.follows = false;
    bench.disturb = [](Measurement& m) { m.encoder_count += 20; };  // 0.2 m/s, for ever
    bench.core.request_stop();
    REQUIRE(bench.run_until([&] { return !bench.command.enable; }, 1.0));
    CHECK(bench.core.fault() == FaultCode::stop_overdue);
}

TEST_CASE("A stop that the platen does not follow takes the drive off at twice the following error") {
    for (const double direction : {1.0, -1.0}) {
        DeviceBench bench;
        swing_to_peak_velocity(bench, direction);
        bench.core.request_stop();
        bench.follows = false;  // a drive without force: the platen coasts on
        bench.disturb = [&](Measurement& m) { m.encoder_count += static_cast<std::int64_t>(direction * 60); };
        REQUIRE(bench.run_until([&] { return !bench.command.enable; }, 0.2));
        CHECK(bench.core.fault() == FaultCode::stop_overdue);
        CHECK(bench.command.brake);
        const double error_m = bench.core.setpoint().position_m - bench.core.measured().position_m;
        CHECK(std::abs(error_m) < 0.0201);
    }
}

TEST_CASE("A stop at the end of the stroke that a dead drive does not follow is braked before the frame up to 0.64 m/s") {
    for (const double direction : {1.0, -1.0}) {
        DeviceBench bench;
        bench.start_swing(direction * 0.0735, 2.0, 0.25, true);
        REQUIRE(bench.run_until([&] { return bench.core.motion_done(); }, 1.0));
        const double speed_m_s = 0.64, frequency_hz = 5.0;
        const auto start_us = bench.start_swing(direction * speed_m_s / (std::numbers::pi * frequency_hz), frequency_hz, 0.05);
        REQUIRE(bench.refusal == RefusalCode::none);
        bench.run_until([&] { return bench.now_us >= start_us + 49900; });
        REQUIRE(bench.core.state() == DeviceState::running);
        REQUIRE(std::abs(bench.core.setpoint().velocity_m_s) == Approx(speed_m_s).epsilon(1e-3));
        bench.core.request_stop();
        bench.follows = false;
        double x_m = std::abs(bench.core.setpoint().position_m), v_m_s = speed_m_s;
        bench.disturb = [&](Measurement& m) {
            if (!bench.command.enable) v_m_s = std::max(0.0, v_m_s - 8.0 * 1e-4);  // the brake of this machine
            x_m += 1e-4 * v_m_s;
            m.encoder_count = std::llround(direction * x_m * 1e6);
        };
        bench.run(0.3);
        CHECK(bench.core.fault() == FaultCode::stop_overdue);
        CHECK(v_m_s == 0.0);
        CHECK(x_m < 0.138);  // stroke and buffer travel
    }
}

TEST_CASE("A stop asked for in the cycle in which a wrong setpoint came does not hide the wrong setpoint") {
    DeviceBench bench;
    swing_to_peak_velocity(bench);
    bench.core.push(DeviceBench::setpoint(bench.now_us, 0.0));  // before what is queued
    bench.core.request_stop();
    bench.tick();
    CHECK(bench.core.state() == DeviceState::stopping);
    CHECK(bench.core.fault() == FaultCode::setpoint_time);
}

TEST_CASE("The first fault is kept") {
    DeviceBench bench;
    swing_to_peak_velocity(bench);
    bench.core.request_stop();
    bench.tick();
    bench.core.host_gone();
    bench.alive = false;
    bench.run(1.0);
    CHECK(bench.core.fault() == FaultCode::operator_stop);
}

TEST_CASE("A specimen is let go at the start of a motion that asks for it, not earlier") {
    DeviceBench bench;
    bench.core.arm(77);
    const auto t = bench.now_us + 5000;
    bench.core.push(DeviceBench::setpoint(t, 0.0));
    bench.core.push(DeviceBench::setpoint(t + 2000, 0.0, 0.0, 0.0, true));
    bench.core.start(t, true);
    bench.run_until([&] { return bench.now_us >= t - 100; });
    CHECK_FALSE(bench.command.release_specimen);
    bench.tick();
    CHECK(bench.command.release_specimen);
    CHECK(bench.command.start_time_us == t);
}
