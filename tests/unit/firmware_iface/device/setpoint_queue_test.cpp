#include "firmware_iface/device/setpoint_queue.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "tests/support/catch.hpp"

using namespace topple::firmware_iface;
using Push = SetpointQueue::Push;
using Status = SetpointQueue::Status;
using Ring = std::array<Knot, kSetpointCapacity>;

namespace {
Knot knot(std::uint64_t time_us, double x, double v = 0.0, double a = 0.0, bool final = false) {
    return {time_us, {x, v, a}, final};
}
}  // namespace

TEST_CASE("The quintic between two knots of a polynomial of degree five is that polynomial") {
    const auto exact = [](double t) {
        return AxisSetpoint{1 - t + 2 * t * t - 3 * std::pow(t, 3) + std::pow(t, 4) + 0.5 * std::pow(t, 5),
                            -1 + 4 * t - 9 * t * t + 4 * std::pow(t, 3) + 2.5 * std::pow(t, 4),
                            4 - 18 * t + 12 * t * t + 10 * std::pow(t, 3)};
    };
    for (double t : {0.0, 0.1, 0.35, 0.7}) {
        const auto got = interpolate(exact(0.0), exact(0.7), 0.7, t);
        CHECK(got.position_m == Approx(exact(t).position_m).margin(1e-13));
        CHECK(got.velocity_m_s == Approx(exact(t).velocity_m_s).margin(1e-12));
        CHECK(got.acceleration_m_s2 == Approx(exact(t).acceleration_m_s2).margin(1e-11));
    }
}

TEST_CASE("A 4 Hz sine sent every 2 ms is interpolated to a nanometre") {
    const double w = 8.0 * std::numbers::pi, a0 = 3.0;
    Ring ring;
    SetpointQueue queue(ring);
    for (int i = 0; i <= 100; ++i) {
        const double t = 0.002 * i;
        queue.push(knot(1000 + 2000u * i, a0 / w * t - a0 / w / w * std::sin(w * t), a0 / w * (1 - std::cos(w * t)),
                        a0 * std::sin(w * t)));
    }
    for (std::uint64_t us = 0; us < 200000; us += 130) {
        const double t = 1e-6 * static_cast<double>(us);
        const auto reading = queue.evaluate(1000 + us);
        REQUIRE(reading.status == Status::moving);
        CHECK(std::abs(reading.setpoint.position_m - (a0 / w * t - a0 / w / w * std::sin(w * t))) < 1e-12);
        CHECK(std::abs(reading.setpoint.acceleration_m_s2 - a0 * std::sin(w * t)) < 1e-6);
    }
}

TEST_CASE("Two knots at one time are a step of acceleration, read from the right") {
    Ring ring;
    SetpointQueue queue(ring);
    CHECK(queue.push(knot(1000, 0.0)) == Push::accepted);
    CHECK(queue.push(knot(3000, 0.0)) == Push::accepted);
    CHECK(queue.push(knot(3000, 0.0, 0.0, 5.0)) == Push::accepted);
    CHECK(queue.push(knot(5000, 1e-5, 0.01, 5.0)) == Push::accepted);
    CHECK(queue.evaluate(2999).setpoint.acceleration_m_s2 == Approx(0.0).margin(1e-9));
    CHECK(queue.evaluate(3000).setpoint.acceleration_m_s2 == 5.0);
    CHECK(queue.evaluate(4000).setpoint.velocity_m_s == Approx(0.005));
    CHECK(queue.evaluate(4000).setpoint.position_m == Approx(2.5e-6));
}

TEST_CASE("Before the first knot the queue waits, at the final one it is done, past any other it runs dry") {
    Ring ring;
    SetpointQueue queue(ring);
    CHECK(queue.evaluate(0).status == Status::empty);
    queue.push(knot(1000, 0.01));
    CHECK(queue.evaluate(999).status == Status::waiting);
    queue.push(knot(2000, 0.02, 0.5));
    CHECK(queue.evaluate(2000).status == Status::moving);
    const auto dry = queue.evaluate(2001);
    CHECK(dry.status == Status::underrun);
    CHECK(dry.time_us == 2000);
    CHECK(dry.setpoint.velocity_m_s == 0.5);
    queue.push(knot(3000, 0.03, 0.0, 2.0, true));
    CHECK(queue.evaluate(2999).status == Status::moving);
    const auto done = queue.evaluate(90000);
    CHECK(done.status == Status::done);
    CHECK(done.setpoint.position_m == 0.03);
    CHECK(done.setpoint.acceleration_m_s2 == 0.0);
}

TEST_CASE("Knots that are late, jump, come thrice at one time or after the final one are refused") {
    Ring ring;
    SetpointQueue queue(ring);
    queue.push(knot(1000, 0.0));
    CHECK(queue.push(knot(999, 0.0)) == Push::wrong_time);
    CHECK(queue.push(knot(1000, 1e-3)) == Push::jump);
    CHECK(queue.push(knot(1000, 0.0, 0.01)) == Push::jump);
    CHECK(queue.push(knot(1000, 0.0, 0.0, 1.0)) == Push::accepted);
    CHECK(queue.push(knot(1000, 0.0, 0.0, 2.0)) == Push::wrong_time);
    CHECK(queue.push(knot(2000, 0.0, 0.1, 0.0, true)) == Push::jump);
    CHECK(queue.push(knot(2000, 0.0, 0.0, 0.0, true)) == Push::accepted);
    CHECK(queue.push(knot(3000, 0.0)) == Push::wrong_time);
}

TEST_CASE("The queue holds its capacity, says how many wait, and refuses one more") {
    Ring ring;
    SetpointQueue queue(ring);
    for (std::size_t i = 0; i < kSetpointCapacity; ++i) REQUIRE(queue.push(knot(1000 + 10 * i, 0.0)) == Push::accepted);
    CHECK(queue.push(knot(1000000, 0.0)) == Push::overflow);
    CHECK(queue.level(999) == kSetpointCapacity);
    queue.evaluate(1015);
    CHECK(queue.level(1015) == kSetpointCapacity - 2);
    CHECK(queue.push(knot(1000000, 0.0)) == Push::accepted);
    queue.clear();
    CHECK(queue.empty());
}
