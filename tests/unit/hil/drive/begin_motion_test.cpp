// What the operator reads when the table refuses a motion.
#include "hil/drive/begin_motion.hpp"

#include <atomic>

#include "hil/drive/run_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/host_bench.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a start refused for what was sent names the fault that the table has latched") {
    test::HostBench bench;
    bench.link->connect();
    const auto& device = bench.link->device();
    REQUIRE(bench.link->arm(device.configuration_hash).accepted);
    const auto refused = [&](double from_m, std::uint64_t late_us) {
        const std::atomic<bool> stop{false};
        hil::drive::MotionStart start;
        start.newest = bench.link->wait_feedback();
        const std::uint64_t first_us = hil::drive::motion_start_us(*bench.link, start.newest);
        start.start_us = first_us + late_us;
        controller::Supervisor supervisor(bench.sine(first_us, 1.0, 4.0, from_m), bench.machine,
                                          hil::drive::supervisor_settings(device), stop);
        return hil::drive::begin_motion(supervisor, *bench.link, bench.clock, start).text();
    };
    CHECK_THAT(refused(1e-4, 0), ContainsSubstring("refused to start") && ContainsSubstring("(setpoint_jump: "));
    REQUIRE(bench.link->clear_fault().accepted);
    REQUIRE(bench.link->arm(device.configuration_hash).accepted);
    CHECK_THAT(refused(0.0, 2000), ContainsSubstring("refused to start") && ContainsSubstring("(setpoint_time: "));
}
