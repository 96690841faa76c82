// Which Unix time belongs to a device's time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

#include "firmware_iface/table_link.hpp"

namespace topple::hil::drive {

/// Unix time at device time 0: from the least delayed of some samples, and half of the way that the fastest answer
/// took.
inline std::int64_t wall_clock_anchor_ns(firmware_iface::TableLink& link) {
    constexpr int kSamples = 20;
    std::int64_t least_ns = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < kSamples; ++i) {
        const std::uint64_t device_time_us = link.wait_feedback().device_time_us;
        const auto wall_clock = std::chrono::system_clock::now().time_since_epoch();
        least_ns = std::min(least_ns, std::chrono::duration_cast<std::chrono::nanoseconds>(wall_clock).count() -
                                          static_cast<std::int64_t>(device_time_us) * 1000);
    }
    return least_ns - link.statistics().round_trip.count() / 2;
}

}  // namespace topple::hil::drive
