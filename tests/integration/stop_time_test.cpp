// A stop is bounded in the device's own time, over every wire, whatever waits in the queue.
#include <cmath>

#include "firmware_iface/fault.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fault_bench.hpp"

using namespace topple;
using namespace topple::test;

namespace {

constexpr double kThreePeriods_s = 6e-3;

void check_stop(Wire wire, double after_s, std::uint32_t look_ahead_us) {
    FaultBench bench(MatrixState::running, "", wire, HostFault::stop);
    bench.acts_after_s = after_s;
    bench.look_ahead_us = look_ahead_us;
    const CellOutcome stop = bench.run();
    INFO(name(wire) << ", " << after_s << " s into the motion, " << look_ahead_us << " us queued ahead, from "
                    << stop.stop_from_m_s << " m/s");
    REQUIRE(stop.stopped);
    CHECK(stop.fault == firmware_iface::FaultCode::operator_stop);
    CHECK(stop.stop_took_s <= std::abs(stop.stop_from_m_s) / bench.machine().stop_deceleration_m_s2 + kThreePeriods_s);
    CHECK(stop.rest_after_s <= bench.machine().settling_time_s);
    CHECK(stop.position_max_m <= bench.machine().stroke_m);
    CHECK(stop.moved_after_rest_m < 1e-4);
    CHECK_FALSE(stop.completed);
}

}  // namespace

TEST_CASE("From the receipt of a stop the commanded velocity is zero within v / stop_deceleration + 3 periods") {
    for (const Wire wire : {Wire::pipe, Wire::pty, Wire::tcp})
        for (const double after_s : {0.04, 0.07, 0.1, 0.15})
            for (const std::uint32_t look_ahead_us : {40'000u, 400'000u}) check_stop(wire, after_s, look_ahead_us);
}
