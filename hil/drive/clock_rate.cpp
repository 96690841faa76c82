#include "hil/drive/clock_rate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace topple::hil::drive {
namespace {

using firmware_iface::DeviceError;
using firmware_iface::Nanoseconds;

constexpr Nanoseconds kListen = std::chrono::seconds(1);
constexpr int kTries = 3;

double seconds(Nanoseconds duration) noexcept { return std::chrono::duration<double>(duration).count(); }

/// Signed: a clock may run backwards.
double device_seconds(const ClockReading& from, const ClockReading& to) noexcept {
    return 1e-6 * static_cast<double>(static_cast<std::int64_t>(to.device_time_us - from.device_time_us));
}

/// Under way for a shorter time than the other, whatever the clocks' offset.
bool less_delayed(const ClockReading& reading, const ClockReading& other) noexcept {
    return seconds(reading.host - other.host) < device_seconds(other, reading);
}

std::vector<ClockReading> listen(firmware_iface::TableLink& link, firmware_iface::Clock& clock,
                                 const std::atomic<bool>& stop_requested) {
    std::vector<ClockReading> readings;
    const Nanoseconds end = clock.now() + kListen;
    while (clock.now() < end || readings.size() < 2) {
        if (stop_requested.load()) throw DeviceError("stopped by the operator: nothing has moved");
        const std::uint64_t device_time_us = link.wait_feedback().device_time_us;
        link.flush();
        const Nanoseconds now = clock.now();
        if (readings.empty() || now > readings.back().host)
            readings.push_back({device_time_us, now});
        else
            readings.back().device_time_us = device_time_us;  // the newest of one look
    }
    return readings;
}

}  // namespace

double clock_skew(std::span<const ClockReading> readings) {
    ClockReading first = readings.front(), last = readings.back();
    const Nanoseconds quarter = (last.host - first.host) / 4, early = first.host + quarter, late = last.host - quarter;
    for (const ClockReading& reading : readings) {
        if (reading.host <= early && less_delayed(reading, first)) first = reading;
        if (reading.host >= late && less_delayed(reading, last)) last = reading;
    }
    return device_seconds(first, last) / seconds(last.host - first.host) - 1.0;
}

std::string clock_skew_text(double skew) {
    const std::string limit = fmt::format("allowed: {:g} %", 100.0 * kClockSkewMax);
    if (!(skew > -0.99))
        return fmt::format("the table's clock stands still or runs backwards compared with this computer's; {}", limit);
    return fmt::format(
        "the table's clock is {:.1f} % {} compared with this computer's: accelerations would be {:.2f} times the "
        "planned ones; {}",
        100.0 * std::abs(skew), skew > 0.0 ? "fast" : "slow", (1.0 + skew) * (1.0 + skew), limit);
}

void require_true_clock(firmware_iface::TableLink& link, firmware_iface::Clock& clock,
                        const std::atomic<bool>& stop_requested) {
    double least = 0.0;
    for (int i = 0; i < kTries; ++i) {
        const double skew = clock_skew(listen(link, clock, stop_requested));
        if (std::abs(skew) <= kClockSkewMax) return;
        if (i == 0 || std::abs(skew) < std::abs(least)) least = skew;
    }
    throw DeviceError(fmt::format("{}: {}. Nothing has moved", link.description(), clock_skew_text(least)));
}

}  // namespace topple::hil::drive
