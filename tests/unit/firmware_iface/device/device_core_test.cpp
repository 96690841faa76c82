// Motions of the device's core: begun, refused, ended, stopped.
#include "firmware_iface/device/device_core.hpp"

#include "tests/support/device_stops.hpp"

using namespace topple::test;

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
    struct Case {
        double x, v;
        std::uint64_t late_us;
        FaultCode code;
    };
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
    struct Case {
        double x, v, a;
        FaultCode code;
    };
    const Case cases[] = {{0.109, 0.0, 0.0, FaultCode::position_limit},
                          {0.0, 2.6, 0.0, FaultCode::position_limit},
                          {0.1, 1.0, 0.0, FaultCode::position_limit},
                          {0.0, 0.0, 32.0, FaultCode::acceleration_limit}};
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
    struct Case {
        double x, after_s;
        FaultCode code;
    };
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

TEST_CASE("A specimen is released at the start of a motion that requests it, not earlier") {
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
