// A device core at full speed, and what every controlled stop of it must keep to.
#pragma once

#include <cmath>
#include <numbers>

#include "tests/support/catch.hpp"
#include "tests/support/device_bench.hpp"

namespace topple::test {

using namespace topple::firmware_iface;

inline const double kStop = quanser_st_iii().stop_deceleration_m_s2;
inline constexpr double kThreePeriods_s = 6e-3;

inline bool stopped(const DeviceBench& bench) {
    return bench.core.state() == DeviceState::faulted && bench.core.setpoint().velocity_m_s == 0.0;
}

/// Runs until at rest; checks that it ended within v / stop_deceleration + 3 periods and inside the stroke.
inline void check_controlled_stop(DeviceBench& bench, FaultCode code, double velocity_m_s) {
    const std::uint64_t from = bench.now_us;
    REQUIRE(bench.run_until([&] { return stopped(bench); }, 1.0));
    CHECK(1e-6 * static_cast<double>(bench.now_us - from) <= std::abs(velocity_m_s) / kStop + kThreePeriods_s);
    CHECK(bench.core.fault() == code);
    CHECK(bench.core.drive_enabled());
    CHECK(bench.largest_m <= quanser_st_iii().stroke_m);
    const double held = bench.core.setpoint().position_m;
    bench.run(0.05);
    CHECK(bench.core.setpoint().position_m == held);
    CHECK(bench.core.feedback().queue_level == 0);
}

/// In the middle of a swing, at its peak velocity, with the rest of it queued.
inline void swing_to_peak_velocity(DeviceBench& bench, double direction = 1.0) {
    bench.start_swing(direction * 0.06, 5.0, 0.18);
    REQUIRE(bench.refusal == RefusalCode::none);
    bench.run(0.06);
    REQUIRE(bench.core.state() == DeviceState::running);
    REQUIRE(direction * bench.core.setpoint().velocity_m_s == Approx(0.03 * 2 * std::numbers::pi * 5.0).epsilon(1e-3));
}

}  // namespace topple::test
