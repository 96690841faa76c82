// What the device finds wrong with drive, platen and sensors, what it does about it, and which fault is kept.
#include <limits>

#include "firmware_iface/device/device_core.hpp"
#include "tests/support/device_stops.hpp"

using namespace topple::test;

TEST_CASE(
    "A platen that itself is too fast, shaken too hard or too far out is a fault even if the commands are right") {
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

// A firmware's numbers are written by hand; each of these made its servo want no number of newtons.
TEST_CASE("A machine whose numbers make no force takes the drive off instead of sending it to a converter") {
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    for (int where = 0; where < 6; ++where) {
        auto parameters = DeviceBench::parameters();
        parameters.servo = servo_of(quanser_st_iii(), 0.0);
        parameters.servo.sample_s = 1e-4;
        if (where >= 4) parameters.y = parameters;
        AxisParameters& axis = where < 4 ? parameters : *parameters.y;
        if (where == 0) axis.servo.gains.friction_speed_m_s = 0.0;
        if (where == 1 || where == 4) axis.servo.sample_s = 0.0;
        if (where == 2 || where == 5) axis.servo.payload_kg = nan;
        if (where == 3) axis.limits.counts_per_m = 0.0;
        DeviceCoreOf<kSetpointCapacityMin> core(parameters);
        core.assume_homed(0, 0);
        Measurement measurement;
        bool faulted = false;
        for (std::uint64_t now_us = 100; now_us < 2'000'000; now_us += 100) {
            const DriveCommand command = core.tick(now_us, measurement);
            const auto is_finite = [](const AxisSetpoint& s, double force_n) {
                return std::isfinite(s.position_m) && std::isfinite(s.velocity_m_s) &&
                       std::isfinite(s.acceleration_m_s2) && std::isfinite(force_n);
            };
            REQUIRE((is_finite(command.setpoint, command.force_n) && is_finite(command.y.setpoint, command.y.force_n)));
            faulted = faulted || core.fault() != FaultCode::none;
            if (!faulted) continue;
            REQUIRE((!command.enable && command.brake && command.force_n == 0.0));
        }
        INFO("case " << where);
        CHECK(core.fault() == (where == 3 ? FaultCode::encoder_implausible : FaultCode::not_finite));
        CHECK(core.state() == DeviceState::faulted);
    }
}

TEST_CASE("Drive, limit switch, encoder and a stalled loop are S0 faults, latched until cleared") {
    struct Case {
        FaultCode code;
        bool keeps_home;
        void (*break_it)(Measurement&);
    };
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

TEST_CASE(
    "A stop at the end of the stroke that a dead drive does not follow is braked before the frame up to 0.64 m/s") {
    for (const double direction : {1.0, -1.0}) {
        DeviceBench bench;
        bench.start_swing(direction * 0.0735, 2.0, 0.25, true);
        REQUIRE(bench.run_until([&] { return bench.core.motion_done(); }, 1.0));
        const double speed_m_s = 0.64, frequency_hz = 5.0;
        const auto start_us =
            bench.start_swing(direction * speed_m_s / (std::numbers::pi * frequency_hz), frequency_hz, 0.05);
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
