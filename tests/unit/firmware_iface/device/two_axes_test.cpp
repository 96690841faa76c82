// A device core of two axes: one state, one drive command, each axis with its own limits, queue and stop.
#include <cmath>
#include <numbers>

#include "firmware_iface/served/device_session.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_bench.hpp"

using namespace topple::firmware_iface;

namespace {

/// Axis y is shorter, slower and stops less hard than axis x.
MachineDescription two_axes() {
    MachineDescription machine = quanser_st_iii();
    machine.y = machine;
    machine.y->stroke_m = 0.05;
    machine.y->velocity_max_m_s = 1.0;
    machine.y->stop_deceleration_m_s2 = 8.0;
    machine.y->counts_per_m = 2e5;
    machine.y->encoder_sign = -1;
    return machine;
}

/// Both platens are always where they are told to be.
struct TwoAxisBench {
    explicit TwoAxisBench(bool homed = true) : core(parameters()) {
        measurement.has_acceleration = true;
        if (homed) core.assume_homed(0, 0);
        tick();
    }
    static DeviceParameters parameters() {
        const MachineDescription machine = two_axes();
        DeviceParameters p;
        p.limits = limits_of(machine);
        p.y.emplace().limits = limits_of(*machine.y);
        p.configuration_hash = configuration_hash(machine);
        return p;
    }
    void tick() {
        now_us += 100;
        core.host_heard();
        if (disturb) disturb(measurement);
        command = core.tick(now_us, measurement);
        if (!command.enable) return;
        measurement.encoder_count = std::llround(command.setpoint.position_m * 1e6);
        if (y_follows) measurement.y.encoder_count = std::llround(command.y.setpoint.position_m * -2e5);
        measurement.acceleration_x_m_s2 = command.setpoint.acceleration_m_s2;
        measurement.acceleration_y_m_s2 = command.y.setpoint.acceleration_m_s2;
        for (std::size_t i = 0; i < 2; ++i)
            largest_m[i] = std::max(largest_m[i], std::abs(core.setpoint(i).position_m));
    }
    bool run_until(const std::function<bool()>& done, double limit_s) {
        const std::uint64_t end = now_us + static_cast<std::uint64_t>(limit_s * 1e6);
        while (!done() && now_us < end) tick();
        return done();
    }
    /// Half a period of swing on each axis, from rest to rest, the first `seconds` of it queued.
    void start_swing(double travel_x_m, double travel_y_m, double frequency_hz, double seconds) {
        core.arm(configuration_hash(two_axes()));
        const std::uint64_t start_us = now_us + 10000;
        const double w = 2 * std::numbers::pi * frequency_hz, x = core.setpoint(0).position_m,
                     y = core.setpoint(1).position_m;
        for (int i = 0; i <= static_cast<int>(std::lround(seconds * 500)); ++i) {
            const double t = 0.002 * i;
            const auto at = [&](double from_m, double travel_m) {
                const double h = 0.5 * travel_m;
                return AxisSetpoint{from_m + h * (1 - std::cos(w * t)), h * w * std::sin(w * t),
                                    h * w * w * std::cos(w * t)};
            };
            Setpoint s;
            s.device_time_us = start_us + static_cast<std::uint64_t>(2000 * i);
            s.axis_count = 2;
            s.axes = {at(x, travel_x_m), at(y, travel_y_m)};
            if (i == 0) core.push({s.device_time_us, 2, {AxisSetpoint{x, 0, 0}, AxisSetpoint{y, 0, 0}}});
            s.final = s.device_time_us == start_us + std::llround(0.5e6 / frequency_hz);
            core.push(s);
        }
        refusal = core.start(start_us, false);
    }
    bool stopped() const {
        return core.state() == DeviceState::faulted && core.setpoint(0).velocity_m_s == 0.0 &&
               core.setpoint(1).velocity_m_s == 0.0;
    }

    DeviceCore core;
    Measurement measurement;
    DriveCommand command;
    RefusalCode refusal{};
    std::function<void(Measurement&)> disturb;
    std::uint64_t now_us = 1'000'000;
    std::array<double, 2> largest_m{};
    bool y_follows = true;
};

}  // namespace

TEST_CASE("Both axes make their motion at the same times and hold where it ends") {
    TwoAxisBench bench;
    bench.start_swing(0.06, -0.04, 5.0, 0.1);
    REQUIRE(bench.refusal == RefusalCode::none);
    REQUIRE(bench.run_until([&] { return bench.core.motion_done(); }, 1.0));
    CHECK(bench.core.setpoint(0).position_m == Approx(0.06).margin(1e-9));
    CHECK(bench.core.setpoint(1).position_m == Approx(-0.04).margin(1e-9));
    const Feedback feedback = bench.core.feedback();
    REQUIRE(feedback.axis_count == 2);
    CHECK(feedback.axes[0].encoder_count == 60000);
    CHECK(feedback.axes[1].encoder_count == 8000);  // 2e5 counts per metre, counting down along +y
    CHECK(bench.core.fault() == FaultCode::none);
}

TEST_CASE("A stop in motion stops both axes, each with its own deceleration, inside the strokes") {
    TwoAxisBench bench;
    bench.start_swing(0.06, 0.04, 5.0, 0.1);
    bench.run_until([] { return false; }, 0.06);
    REQUIRE(bench.core.state() == DeviceState::running);
    const double vx = bench.core.setpoint(0).velocity_m_s, vy = bench.core.setpoint(1).velocity_m_s;
    REQUIRE(vx > 0.9);
    REQUIRE(vy > 0.6);
    bench.core.request_stop();
    bench.tick();
    CHECK(bench.core.setpoint(0).acceleration_m_s2 == -15.0);
    CHECK(bench.core.setpoint(1).acceleration_m_s2 == -8.0);
    const std::uint64_t from_us = bench.now_us;
    REQUIRE(bench.run_until([&] { return bench.stopped(); }, 1.0));
    CHECK(1e-6 * static_cast<double>(bench.now_us - from_us) <= std::max(vx / 15.0, vy / 8.0) + 6e-3);
    CHECK(bench.core.fault() == FaultCode::operator_stop);
    CHECK(bench.core.drive_enabled());
    CHECK(bench.largest_m[0] <= 0.108);
    CHECK(bench.largest_m[1] <= 0.05);
}

TEST_CASE("A fault of axis y stops axis x too") {
    SECTION("an encoder that jumps takes the power from both") {
        TwoAxisBench bench;
        bench.start_swing(0.06, 0.04, 5.0, 0.1);
        bench.disturb = [&](Measurement& m) {
            if (bench.now_us > 1'060'000) m.y.encoder_count += 5000;
        };
        REQUIRE(bench.run_until([&] { return bench.core.state() == DeviceState::faulted; }, 0.2));
        CHECK(bench.core.fault() == FaultCode::encoder_implausible);
        CHECK_FALSE(bench.command.enable);
        CHECK(bench.command.brake);
        CHECK_FALSE(bench.core.homed());
    }
    SECTION("a platen that does not follow stops both in a controlled way, or by the brake") {
        TwoAxisBench bench;
        bench.start_swing(0.06, 0.04, 5.0, 0.1);
        bench.run_until([] { return false; }, 0.03);
        bench.y_follows = false;  // and goes on with a third of the speed only
        const double from_m = bench.core.setpoint(1).position_m;
        bench.disturb = [&](Measurement& m) {
            m.y.encoder_count = std::llround((from_m + 0.3 * (bench.core.setpoint(1).position_m - from_m)) * -2e5);
        };
        REQUIRE(bench.run_until([&] { return bench.core.state() != DeviceState::running; }, 0.2));
        CHECK(bench.core.fault() == FaultCode::following_error);
        CHECK(bench.core.setpoint(0).acceleration_m_s2 == -15.0);
    }
    SECTION("a limit switch of axis y") {
        TwoAxisBench bench;
        bench.measurement.y.limit_pressed = true;
        bench.tick();
        CHECK(bench.core.fault() == FaultCode::limit_switch);
        CHECK(bench.core.cause() == FaultCode::limit_switch);
        CHECK(bench.core.clear() == RefusalCode::fault_latched);
    }
}

TEST_CASE("Each axis is held against its own limits, and a setpoint must be of both") {
    const auto fault_of = [](AxisSetpoint x, AxisSetpoint y, std::size_t count = 2) {
        TwoAxisBench bench;
        bench.core.arm(configuration_hash(two_axes()));
        bench.core.push({bench.now_us + 5000, count, {x, y}});
        bench.tick();
        return bench.core.fault();
    };
    CHECK(fault_of({0.07, 0, 0}, {0.0, 0, 0}) == FaultCode::none);
    CHECK(fault_of({0.0, 0, 0}, {0.07, 0, 0}) == FaultCode::position_limit);
    CHECK(fault_of({0.0, 1.2, 0}, {0.0, 0, 0}) == FaultCode::none);
    CHECK(fault_of({0.0, 0, 0}, {0.0, 1.2, 0}) != FaultCode::none);
    CHECK(fault_of({0.0, 0, 0}, {0.0, 0, std::nan("")}) == FaultCode::not_finite);
    CHECK(fault_of({0.0, 0, 0}, {0.0, 0, 0}, 1) == FaultCode::setpoint_jump);

    TwoAxisBench bench;  // y begins elsewhere than it is held
    bench.core.arm(configuration_hash(two_axes()));
    bench.core.push({bench.now_us + 5000, 2, {AxisSetpoint{}, AxisSetpoint{0.001, 0, 0}}});
    CHECK(bench.core.start(bench.now_us + 5000, false) == RefusalCode::fault_latched);
    bench.tick();
    CHECK(bench.core.fault() == FaultCode::setpoint_jump);
}

TEST_CASE("Homing searches both references at once and ends when both are found") {
    TwoAxisBench bench(false);
    constexpr double kX_m = 0.02, kY_m = -0.03;  // where the platens stand at power-on
    bench.disturb = [&](Measurement& m) {
        m.reference_pressed = kX_m + 1e-6 * static_cast<double>(m.encoder_count) < 0.0;
        m.y.reference_pressed = kY_m - static_cast<double>(m.y.encoder_count) / 2e5 < 0.0;
    };
    bench.tick();
    REQUIRE(bench.core.home() == RefusalCode::none);
    REQUIRE(bench.run_until([&] { return bench.core.state() != DeviceState::homing; }, 20.0));
    REQUIRE(bench.core.state() == DeviceState::ready);
    const auto true_x_m = kX_m + 1e-6 * static_cast<double>(bench.measurement.encoder_count);
    const auto true_y_m = kY_m - static_cast<double>(bench.measurement.y.encoder_count) / 2e5;
    CHECK(bench.core.measured(0).position_m == Approx(true_x_m).margin(2.1e-6));
    CHECK(bench.core.measured(1).position_m == Approx(true_y_m).margin(1.1e-5));

    TwoAxisBench dead(false);  // the switch of axis y never opens
    dead.disturb = [](Measurement& m) { m.y.reference_pressed = true; };
    dead.tick();
    dead.core.home();
    REQUIRE(dead.run_until([&] { return dead.core.state() != DeviceState::homing; }, 40.0));
    CHECK(dead.core.fault() == FaultCode::homing_failed);
}

TEST_CASE("The configuration hash holds both axes, and that of one axis has not changed") {
    CHECK(configuration_hash(quanser_st_iii()) == 0xf09722b88a741f34);
    MachineDescription machine = two_axes();
    const auto both = configuration_hash(machine);
    CHECK(both != configuration_hash(quanser_st_iii()));
    machine.y->stroke_m = 0.06;
    CHECK(configuration_hash(machine) != both);
    CHECK(configuration_hash(axis_of(two_axes(), 0)) == configuration_hash(quanser_st_iii()));
    CHECK(axis_of(two_axes(), 1).stroke_m == 0.05);
    const DeviceInfo info = describe(two_axes(), {});
    REQUIRE(info.axes.size() == 2);
    CHECK(info.axes[1].name == "y");
    CHECK(info.axes[1].stroke_m == 0.05);
}
