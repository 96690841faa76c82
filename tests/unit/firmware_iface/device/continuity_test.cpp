// Setpoints that no drive can follow hide between knots that are each allowed, and power on a platen that still runs.
#include "tests/support/catch.hpp"
#include "tests/support/device_bench.hpp"

using namespace topple::firmware_iface;
using topple::test::DeviceBench;

namespace {

/// Queues knots from the held position and starts them.
void start(DeviceBench& bench, const std::vector<Setpoint>& knots) {
    bench.core.arm(77);
    for (const Setpoint& knot : knots) bench.core.push(knot);
    REQUIRE(bench.core.start(knots.front().device_time_us, false) == RefusalCode::none);
}

/// A velocity that is there within `gap_us`, then held for 20 ms.
std::vector<Setpoint> step_to(double velocity_m_s, std::uint64_t start_us, std::uint64_t gap_us) {
    const double x_m = 0.5e-6 * velocity_m_s * static_cast<double>(gap_us);
    std::vector<Setpoint> knots{DeviceBench::setpoint(start_us, 0.0)};
    for (std::uint64_t i = 0; i < 11; ++i)
        knots.push_back(DeviceBench::setpoint(start_us + gap_us + 2000 * i,
                                              x_m + velocity_m_s * 2e-3 * static_cast<double>(i), velocity_m_s));
    return knots;
}

}  // namespace

TEST_CASE("A velocity that changes faster than the acceleration limit allows is stopped, however close the knots are") {
    const double a_max = quanser_st_iii().acceleration_max_m_s2;
    for (const std::uint64_t gap_us : {2u, 50u, 400u, 2000u, 20000u}) {
        for (const double share : {0.9, 1.3}) {
            for (const double sign : {-1.0, 1.0}) {
                // The quintic's greatest slope of velocity between two states without acceleration is 3/2 of the mean.
                const double velocity_m_s =
                    sign * (share / 1.5 * a_max * 1e-6 * static_cast<double>(gap_us) + (share > 1.0 ? 0.02 : 0.0));
                CAPTURE(gap_us, velocity_m_s);
                DeviceBench bench;
                start(bench, step_to(velocity_m_s, bench.now_us + 5000, gap_us));
                bench.run(0.0055 + 1e-6 * static_cast<double>(gap_us));
                const FaultCode expected = share > 1.0 ? FaultCode::acceleration_limit : FaultCode::none;
                CHECK(bench.core.fault() == expected);
            }
        }
    }
}

TEST_CASE("A position that creeps while the velocity says rest is stopped within millimetres") {
    for (const double step_m : {19e-6, 36e-6}) {
        DeviceBench bench;
        std::vector<Setpoint> knots;
        const std::uint64_t first_us = bench.now_us + 5050;
        double x_m = 0.0;
        for (std::uint64_t i = 0; i < 200; ++i, x_m += step_m) {
            knots.push_back(DeviceBench::setpoint(first_us + 100 * i, x_m));
            knots.push_back(DeviceBench::setpoint(first_us + 100 * i + 98, x_m));
        }
        start(bench, knots);
        bench.run(0.03);
        CHECK(bench.core.fault() != FaultCode::none);
        CHECK(bench.largest_m < 1e-3);
    }
}

TEST_CASE(
    "A motion that ends with a jump is stopped where it was, also if it underruns or is stopped in that very cycle") {
    enum class End { final, underrun, stopped };
    for (const End end : {End::final, End::underrun, End::stopped}) {
        for (const bool of_velocity : {false, true}) {
            CAPTURE(static_cast<int>(end), of_velocity);
            DeviceBench bench;
            const std::uint64_t last_us = bench.now_us + 5000;
            std::vector<Setpoint> knots{DeviceBench::setpoint(last_us - 2000, 0.0),
                                        DeviceBench::setpoint(last_us, 0.0)};
            knots.push_back(DeviceBench::setpoint(last_us + 50, of_velocity ? 0.0 : 9e-3,
                                                  of_velocity && end != End::final ? 1.0 : 0.0));
            if (of_velocity && end == End::final)
                knots = {DeviceBench::setpoint(last_us, 0.0), DeviceBench::setpoint(last_us + 20000, 4e-3, 0.4),
                         DeviceBench::setpoint(last_us + 20050, 4.01e-3)};
            knots.back().final = end == End::final;
            const std::uint64_t jump_us = knots.back().device_time_us;
            start(bench, knots);
            while (bench.now_us + 100 < jump_us) bench.tick();
            REQUIRE(bench.core.fault() == FaultCode::none);
            const double before_m = bench.core.setpoint().position_m, before_m_s = bench.core.setpoint().velocity_m_s;
            if (end == End::stopped) bench.core.request_stop();
            bench.tick();
            CHECK(bench.core.fault() == (end == End::stopped ? FaultCode::operator_stop
                                         : of_velocity       ? FaultCode::acceleration_limit
                                                             : FaultCode::setpoint_jump));
            CHECK_FALSE(bench.core.motion_done());
            CHECK(std::abs(bench.core.setpoint().position_m - before_m) <= 1.1e-4 * std::abs(before_m_s) + 1e-6);
            bench.run(0.1);
            CHECK(bench.core.state() == DeviceState::faulted);
            CHECK(bench.largest_m < 0.02);
        }
    }
}

TEST_CASE("A cycle that comes late, within what is allowed, is no jump, also over a step of the acceleration") {
    constexpr double kTurn_s = 0.02;
    for (const double step_m_s2 : {10.0, 31.0}) {
        for (const std::uint32_t late_us : {2000u, 4000u, 5800u}) {
            CAPTURE(step_m_s2, late_us);
            DeviceBench bench;
            const std::uint64_t first_us = bench.now_us + 5000;
            const auto motion = [&](double t_s,
                                    double a_m_s2) -> AxisSetpoint {  // to the left, then as strongly to the right
                const double a = step_m_s2, since_s = t_s - kTurn_s, v_turn = -a * kTurn_s,
                             x_turn = 0.5 * v_turn * kTurn_s;
                if (t_s <= 0.0) return {0.0, 0.0, a_m_s2};
                if (since_s < 0.0) return {-0.5 * a * t_s * t_s, -a * t_s, a_m_s2};
                return {x_turn + v_turn * since_s + 0.5 * a * since_s * since_s, v_turn + a * since_s, a_m_s2};
            };
            std::vector<Setpoint> knots{DeviceBench::setpoint(first_us, 0.0)};
            const auto push = [&](int i, double a_m_s2) {
                const AxisSetpoint at = motion(0.002 * i, a_m_s2);
                knots.push_back(DeviceBench::setpoint(first_us + 2000u * static_cast<std::uint64_t>(i), at.position_m,
                                                      at.velocity_m_s, at.acceleration_m_s2));
            };
            for (int i = 0; i <= 10; ++i) push(i, -step_m_s2);
            for (int i = 10; i <= 19; ++i) push(i, step_m_s2);
            start(bench, knots);
            bench.follows = false;
            bench.disturb = [&](Measurement& m) {
                const double t_s = 1e-6 * (static_cast<double>(bench.now_us) - static_cast<double>(first_us));
                m.encoder_count = std::llround(1e6 * motion(t_s, 0.0).position_m);
            };
            bench.run_until([&] { return bench.now_us + 100 >= first_us + 20000 - late_us / 2; });
            bench.cycle_us = late_us;
            bench.tick();
            bench.cycle_us = 100;
            bench.run(0.008);
            CHECK(bench.core.fault() == FaultCode::none);
        }
    }
}

TEST_CASE("Jumps within the tolerance between two knots at one time are let through") {
    DeviceBench bench;
    const std::uint64_t first_us = bench.now_us + 5000;
    std::vector<Setpoint> knots;
    for (std::uint64_t i = 0; i < 5; ++i) {
        knots.push_back(DeviceBench::setpoint(first_us + 40000 * i, i == 0 ? 0.0 : 19e-6 * static_cast<double>(i - 1)));
        if (i > 0) knots.push_back(DeviceBench::setpoint(first_us + 40000 * i, 19e-6 * static_cast<double>(i)));
    }
    start(bench, knots);
    bench.run(0.16);
    CHECK(bench.core.fault() == FaultCode::none);
}

TEST_CASE("Neither clear nor home puts power on a platen that still runs out after the drive went off") {
    for (const bool homes : {false, true}) {
        DeviceBench bench;
        bench.start_swing(0.06, 5.0, 0.18);
        bench.run(0.06);
        bench.core.refuse_data();
        bench.tick();
        REQUIRE(bench.core.fault() == FaultCode::not_finite);
        double velocity_m_s = 0.9, x_m = 1e-6 * static_cast<double>(bench.measurement.encoder_count);
        bench.disturb = [&](Measurement& m) {  // braked at 8 m/s2
            velocity_m_s = std::max(0.0, velocity_m_s - 8.0 * 1e-4);
            x_m += velocity_m_s * 1e-4;
            m.encoder_count = std::llround(1e6 * x_m);
        };
        bench.run(0.02);
        REQUIRE(bench.core.measured().velocity_m_s > 0.5);
        CHECK(bench.core.clear() == RefusalCode::wrong_state);
        CHECK(bench.core.fault() == FaultCode::not_finite);
        CHECK_FALSE(bench.core.drive_enabled());
        bench.run(0.2);
        REQUIRE(bench.core.clear() == RefusalCode::none);
        CHECK(bench.core.setpoint().position_m == Approx(x_m).margin(1e-6));
        if (homes) CHECK(bench.core.home() == RefusalCode::none);
    }
}

TEST_CASE("A table that is not homed is not homed while somebody pushes the platen") {
    DeviceBench bench(false);
    std::int64_t count = 0;
    bench.disturb = [&](Measurement& m) { m.encoder_count = count += 20; };  // 0.2 m/s
    bench.run(0.02);
    CHECK(bench.core.home() == RefusalCode::wrong_state);
    CHECK_FALSE(bench.core.drive_enabled());
    bench.disturb = nullptr;
    bench.run(0.02);
    CHECK(bench.core.home() == RefusalCode::none);
}
