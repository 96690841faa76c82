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
        knots.push_back(DeviceBench::setpoint(start_us + gap_us + 2000 * i, x_m + velocity_m_s * 2e-3 * static_cast<double>(i), velocity_m_s));
    return knots;
}

}  // namespace

TEST_CASE("A velocity that changes faster than the acceleration limit allows is stopped, however close the knots are") {
    const double a_max = quanser_st_iii().acceleration_max_m_s2;
    for (const std::uint64_t gap_us : {2u, 50u, 400u, 2000u, 20000u}) {
        for (const double share : {0.9, 1.3}) {
            for (const double sign : {-1.0, 1.0}) {
                // The quintic's greatest slope of velocity between two states without acceleration is 3/2 of the mean.
                const double velocity_m_s = sign * (share / 1.5 * a_max * 1e-6 * static_cast<double>(gap_us) + (share > 1.0 ? 0.02 : 0.0));
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
