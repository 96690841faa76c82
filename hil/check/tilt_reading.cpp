#include "hil/check/tilt_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "firmware_iface/device/setpoint_queue.hpp"
#include "firmware_iface/device/state_machine.hpp"
#include "hil/check/rest_check.hpp"

namespace topple::hil::check {
namespace {

constexpr double kSettle_s = 1.0;  // after the hand that turned the sensor

firmware_iface::Feedback settled_feedback(const CheckedTable& table) {
    const std::uint64_t until_us =
        table.link.wait_feedback().device_time_us + static_cast<std::uint64_t>(1e6 * kSettle_s);
    for (;;) {
        table.require_going();
        const firmware_iface::Feedback feedback = table.link.wait_feedback();
        if (feedback.device_time_us >= until_us) return feedback;
    }
}

}  // namespace

using firmware_iface::DeviceError;
using firmware_iface::Feedback;

RestMean read_at_rest(const CheckedTable& table, double duration_s) {
    std::vector<double> samples_m_s2;
    const Feedback first = settled_feedback(table);
    const double scale = table.machine.accelerometer_sign * table.machine.accelerometer_scale;
    std::int64_t lowest = first.axes[0].encoder_count, highest = lowest;
    for (Feedback f = first; 1e-6 * static_cast<double>(f.device_time_us - first.device_time_us) < duration_s;
         f = table.link.wait_feedback()) {
        table.require_going();
        if (!f.acceleration_x_m_s2)
            throw DeviceError(table.link.description() + " reports no acceleration: wire the sensor to its input");
        samples_m_s2.push_back(scale * *f.acceleration_x_m_s2);
        lowest = std::min(lowest, f.axes[0].encoder_count);
        highest = std::max(highest, f.axes[0].encoder_count);
        const double moved_m = static_cast<double>(highest - lowest) / table.machine.counts_per_m;
        if (may_move(f.state) || moved_m > firmware_iface::kJumpTolerance_m)
            throw DeviceError(
                fmt::format("the platen is not at rest (state {}, moved by {:.0f} um): a tilt is measured "
                            "only at rest",
                            name(f.state), 1e6 * moved_m));
    }
    if (samples_m_s2.size() < kTiltBatches)
        throw DeviceError(fmt::format("only {} samples in {} s", samples_m_s2.size(), duration_s));
    const RestMean rest = rest_mean(samples_m_s2);
    if (rest.noise_m_s2 == 0.0)
        throw DeviceError("the accelerometer's reading never changes: it is stuck, check its supply and cable");
    if (rest.noise_m_s2 > kAccelerometerNoiseMax_m_s2)
        throw DeviceError(
            fmt::format("the accelerometer's noise is {:.3f} m/s2, at most {} is allowed: let it rest, "
                        "check its cable and whether something shakes the floor",
                        rest.noise_m_s2, kAccelerometerNoiseMax_m_s2));
    return rest;
}

Tilt measure_tilt(const CheckedTable& table, double duration_s, double gravity_m_s2,
                  const std::function<void(const std::string&)>& ask) {
    ask("stand the sensor on the seat, its axis along the shaking direction and its arrow to the right (+x)");
    const RestMean along = read_at_rest(table, duration_s);
    ask("turn the sensor by 180 degrees on the same spot, its arrow to the left (-x)");
    return tilt_of(along, read_at_rest(table, duration_s), gravity_m_s2);
}

}  // namespace topple::hil::check
