#include "firmware_iface/device/servo.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/catch.hpp"
#include "tests/support/device_bench.hpp"
#include "tests/support/heap_counter.hpp"

using namespace topple::firmware_iface;
using topple::test::DeviceBench;

namespace {

constexpr double kPayload_kg = 5.0;

/// A rigid mass under the servo's force; the drive follows at once.
struct RigidAxis {
    explicit RigidAxis(double true_kg, ServoParameters parameters = servo_of(quanser_st_iii(), kPayload_kg))
        : mass_kg(true_kg), servo(parameters) {
        servo.reset(0.0);
    }
    void cycle(const AxisSetpoint& setpoint, double disturbance_n = 0.0) {
        const double acceleration = (servo.step(setpoint, x) + disturbance_n) / mass_kg;
        x += 1e-4 * (v + 0.5e-4 * acceleration);
        v += 1e-4 * acceleration;
    }
    double mass_kg, x = 0.0, v = 0.0;
    Servo servo;
};

}  // namespace

TEST_CASE("A steady force on the axis is found by the observer and leaves no error") {
    RigidAxis axis(quanser_st_iii().moving_mass_kg + kPayload_kg);
    for (int i = 0; i < 10000; ++i) axis.cycle({}, -40.0);
    CHECK(std::abs(axis.x) < 1e-6);
    CHECK(axis.servo.status().disturbance_n == Approx(-40.0).epsilon(0.01));
}

TEST_CASE("The force never leaves its limits, and saying so is the servo's business") {
    auto parameters = servo_of(quanser_st_iii(), kPayload_kg);
    parameters.force_max_n = 50.0;
    RigidAxis axis(35.0, parameters);
    axis.cycle({0.1, 0.0, 0.0});
    CHECK(axis.servo.status().force_n == 50.0);
    CHECK(axis.servo.status().saturated);
    RigidAxis calm(35.0, parameters);
    calm.cycle({0.0, 0.0, 0.0});
    CHECK_FALSE(calm.servo.status().saturated);
}

TEST_CASE("Two seconds at the force limit leave no disturbance behind that is not there") {
    auto parameters = servo_of(quanser_st_iii(), kPayload_kg);
    parameters.force_max_n = 50.0;
    parameters.gains.coulomb_n = parameters.gains.viscous_n_s_m = 0.0;
    RigidAxis axis(35.0, parameters);
    for (int i = 0; i < 20000; ++i) {
        axis.cycle({0.5e-8 * i * i * 3.0, 3.0e-4 * i, 3.0});  // 3 m/s2 take 105 N
        REQUIRE(std::abs(axis.servo.status().disturbance_n) < 10.0);
    }
    CHECK(axis.servo.status().saturated);
}

TEST_CASE("The notch takes its frequency out of the feedback and leaves slow motions alone") {
    auto with = servo_of(quanser_st_iii(), kPayload_kg);
    with.gains.notch_hz = 70.0;
    const auto amplitude = [](const ServoParameters& parameters, double hz) {
        Servo servo(parameters);
        servo.reset(0.0);
        double largest = 0.0;
        for (int i = 0; i < 20000; ++i) {  // the measurement swings, whatever the force is
            const double force = servo.step({}, 1e-5 * std::sin(2e-4 * std::numbers::pi * hz * i));
            if (i > 10000) largest = std::max(largest, std::abs(force));
        }
        return largest;
    };
    auto without = with;
    without.gains.notch_hz = 0.0;
    CHECK(amplitude(with, 70.0) < 0.2 * amplitude(without, 70.0));
    CHECK(amplitude(with, 3.0) == Approx(amplitude(without, 3.0)).epsilon(0.15));
}

TEST_CASE("After missed cycles the servo takes the way it travelled meanwhile for no surprise") {
    constexpr double kVelocity_m_s = 0.8;
    const auto jolt = [&](unsigned told) {
        RigidAxis axis(35.0);
        const auto setpoint = [&](int i) { return AxisSetpoint{1e-4 * kVelocity_m_s * i, kVelocity_m_s, 0.0}; };
        axis.v = kVelocity_m_s;
        for (int i = 0; i < 3000; ++i) axis.cycle(setpoint(i));
        const double before_n = axis.servo.status().force_n;
        axis.x += 40 * 1e-4 * axis.v;  // 4 ms without a cycle
        double largest = 0.0;
        for (int i = 3040; i < 3300; ++i) {
            const double force = axis.servo.step(setpoint(i), axis.x, i == 3040 ? told : 1);
            axis.v += 1e-4 * (force - before_n) / 35.0;
            axis.x += 1e-4 * axis.v;
            largest = std::max(largest, std::abs(force - before_n));
        }
        return largest;
    };
    CHECK(jolt(41) < 30.0);
    CHECK(jolt(1) > 300.0);
}

TEST_CASE("The core's servo pushes only while the drive is on, and takes nothing from the heap") {
    auto parameters = DeviceBench::parameters();
    parameters.servo = servo_of(quanser_st_iii(), kPayload_kg);
    DeviceCore core(parameters);
    core.assume_homed(0);
    Measurement measurement;
    measurement.encoder_count = 50000;
    CHECK(core.tick(1000, measurement).force_n == 0.0);  // on, and there
    measurement.encoder_count = 49900;
    const auto before = topple::test::heap_allocations_of_this_thread();
    CHECK(core.tick(1100, measurement).force_n > 0.0);
    CHECK(topple::test::heap_allocations_of_this_thread() == before);
    measurement.drive_ok = false;
    CHECK(core.tick(1200, measurement).force_n == 0.0);
    measurement.drive_ok = true;
    std::uint64_t now_us = 1200;
    for (int i = 0; i < 200; ++i) core.tick(now_us += 100, measurement);  // until the platen counts as at rest
    REQUIRE(core.clear() == RefusalCode::none);
    const DriveCommand again = core.tick(now_us + 100, measurement);
    CHECK(again.enable);
    CHECK(again.force_n == 0.0);
}
