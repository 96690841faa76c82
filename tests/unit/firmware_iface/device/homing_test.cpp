#include "firmware_iface/device/homing.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/device_bench.hpp"

using namespace topple::firmware_iface;
using topple::test::DeviceBench;

namespace {
/// An unhomed bench whose platen stands at `at_m` when the power comes on; pressed left of the middle.
std::unique_ptr<DeviceBench> bench_at(double at_m) {
    auto bench = std::make_unique<DeviceBench>(false);
    bench->disturb = [at_m](Measurement& m) { m.reference_pressed = at_m + 1e-6 * double(m.encoder_count) < 0.0; };
    bench->tick();
    return bench;
}
}  // namespace

TEST_CASE("Homing finds the same edge to two counts from either side, from close by and from the ends") {
    for (double at : {-0.1, -0.002, -1e-6, 0.0, 0.003, 0.107}) {
        auto bench = bench_at(at);
        REQUIRE(bench->core.home() == RefusalCode::none);
        CHECK(bench->core.state() == DeviceState::homing);
        REQUIRE(bench->run_until([&] { return bench->core.state() != DeviceState::homing; }, 20.0));
        REQUIRE(bench->core.state() == DeviceState::ready);
        CHECK(bench->core.homed());
        CHECK(bench->core.feedback().homed == true);
        const double really = at + 1e-6 * static_cast<double>(bench->measurement.encoder_count);
        CHECK(bench->core.measured().position_m == Approx(really).margin(2.1e-6));
        CHECK(std::abs(really) < 1e-3);
        CHECK(bench->core.feedback().axes[0].encoder_count == Approx(1e6 * really).margin(2.1));
    }
}

TEST_CASE("A dead or stuck reference switch ends in a fault within the allowed travel") {
    for (bool pressed : {false, true}) {
        DeviceBench bench(false);
        bench.disturb = [pressed](Measurement& m) { m.reference_pressed = pressed; };
        bench.tick();
        bench.core.home();
        REQUIRE(bench.run_until([&] { return bench.core.state() != DeviceState::homing; }, 20.0));
        CHECK(bench.core.fault() == FaultCode::homing_failed);
        CHECK_FALSE(bench.command.enable);
        CHECK(std::abs(static_cast<double>(bench.measurement.encoder_count)) <= 1e6 * 2.3 * quanser_st_iii().stroke_m);
        CHECK(bench.core.clear() == RefusalCode::none);
        CHECK(bench.core.state() == DeviceState::idle);
        CHECK(bench.core.arm(77) == RefusalCode::not_homed);
    }
}

TEST_CASE("A switch that sticks once pressed is noticed within millimetres") {
    auto bench = bench_at(0.01);
    bool was_pressed = false;
    bench->disturb = [&](Measurement& m) {
        was_pressed = was_pressed || 0.01 + 1e-6 * double(m.encoder_count) < 0.0;
        m.reference_pressed = was_pressed;
    };
    bench->core.home();
    REQUIRE(bench->run_until([&] { return bench->core.state() != DeviceState::homing; }, 20.0));
    CHECK(bench->core.fault() == FaultCode::homing_failed);
    CHECK(std::abs(0.01 + 1e-6 * static_cast<double>(bench->measurement.encoder_count)) < 0.015);
}

TEST_CASE("A stop while homing ends it, unhomed") {
    auto bench = bench_at(0.05);
    bench->core.home();
    bench->run(0.5);
    bench->core.request_stop();
    bench->run(0.1);
    CHECK(bench->core.state() == DeviceState::faulted);
    CHECK(bench->core.fault() == FaultCode::operator_stop);
    CHECK(bench->core.feedback().homed == false);
    CHECK(bench->core.clear() == RefusalCode::none);
    CHECK(bench->core.state() == DeviceState::idle);
}

TEST_CASE("A host that falls silent while the table homes is lost after half a second") {
    for (const bool gone : {false, true}) {
        DeviceBench bench(false);
        bench.measurement.reference_pressed = false;
        REQUIRE(bench.core.home() == RefusalCode::none);
        bench.run(0.1);
        bench.alive = false;
        if (gone) bench.core.host_gone();
        bench.run(gone ? 0.001 : 0.49);
        CHECK((bench.core.state() == DeviceState::homing) == !gone);
        bench.run(0.3);
        CHECK(bench.core.state() == DeviceState::faulted);
        CHECK(bench.core.fault() == FaultCode::host_lost);
        CHECK_FALSE(bench.core.homed());
    }
}

TEST_CASE("Running into the end switch while homing is a failed homing") {
    DeviceBench bench(false);
    bench.core.home();
    bench.run(0.2);
    bench.disturb = [](Measurement& m) { m.limit_pressed = true; };
    bench.tick();
    CHECK(bench.core.fault() == FaultCode::homing_failed);
    CHECK_FALSE(bench.command.enable);
}
