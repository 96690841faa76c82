// The trigger output follows the motion that asked for it, and the auxiliary inputs pass through.
#include <limits>

#include "firmware_iface/device/device_core.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_bench.hpp"

using namespace topple::firmware_iface;
using topple::test::DeviceBench;

namespace {

struct TriggerBench : DeviceBench {
    explicit TriggerBench(bool has_trigger = true) : DeviceBench(true) {
        DeviceParameters p = parameters();
        p.has_trigger = has_trigger;
        core.restart(p);
        core.assume_homed(0);
        tick();
    }
    /// Half a swing of 0.25 s that begins at start_us; the refusal of START.
    RefusalCode swing_once(bool trigger) {
        core.arm(77);
        start_us = now_us + 10000;
        core.push(setpoint(start_us, 0.0));
        for (int i = 0; i <= 125; ++i) {
            auto s = swing(start_us, 0.002 * i, 0.0, 0.01, 2.0);
            s.final = i == 125;
            core.push(s);
        }
        return core.start(start_us, false, trigger);
    }
    std::uint64_t start_us = 0;
};

}  // namespace

TEST_CASE("the trigger rises in the cycle of the first setpoint and falls in the one in which the motion is done") {
    TriggerBench bench;
    CHECK(bench.core.feedback().trigger == false);
    REQUIRE(bench.swing_once(true) == RefusalCode::none);
    while (bench.now_us + bench.cycle_us < bench.start_us) {
        bench.tick();
        REQUIRE_FALSE(bench.command.trigger);
    }
    bench.tick();
    CHECK(bench.now_us == bench.start_us);
    CHECK(bench.command.trigger);
    CHECK(bench.core.feedback().trigger == true);
    while (!bench.core.motion_done()) {
        CHECK(bench.command.trigger);
        bench.tick();
    }
    CHECK_FALSE(bench.command.trigger);
    CHECK(bench.core.feedback().trigger == false);
}

TEST_CASE("the trigger falls at once with a stop and with a fault, and is low for a motion that did not ask") {
    TriggerBench stopped, faulted, silent;
    for (TriggerBench* bench : {&stopped, &faulted, &silent}) {
        REQUIRE(bench->swing_once(bench != &silent) == RefusalCode::none);
        bench->run(0.1);
        REQUIRE(bench->core.state() == DeviceState::running);
        CHECK(bench->command.trigger == (bench != &silent));
    }
    stopped.core.request_stop();
    stopped.tick();
    CHECK(stopped.core.state() == DeviceState::stopping);
    CHECK_FALSE(stopped.command.trigger);
    faulted.measurement.drive_ok = false;
    faulted.tick();
    CHECK_FALSE(faulted.command.trigger);
    CHECK(faulted.core.feedback().trigger == false);
}

TEST_CASE("a device without a trigger output refuses the motion that asks for it, and reports no level") {
    TriggerBench bench(false);
    CHECK(bench.swing_once(true) == RefusalCode::not_supported);
    CHECK(bench.core.state() == DeviceState::armed);
    CHECK_FALSE(bench.core.feedback().trigger.has_value());
}

TEST_CASE("auxiliary inputs pass through, one that is not a number is a fault and does not travel") {
    TriggerBench bench;
    bench.measurement.aux_count = 2;
    bench.measurement.aux_v = {1.5, -2.5};
    bench.tick();
    CHECK(bench.core.feedback().aux_count == 2);
    CHECK(bench.core.feedback().aux_v[1] == -2.5);
    bench.measurement.aux_v[1] = std::numeric_limits<double>::quiet_NaN();
    bench.tick();
    CHECK(bench.core.fault() == FaultCode::not_finite);
    CHECK(bench.core.feedback().aux_count == 0);
}
