// Host time of arrival against device time: how much later than the fastest, and how the two clocks drift.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hil/check/check.hpp"

namespace topple::hil::check {

struct LatencyFindings {
    std::optional<double> skew_ppm;  ///< device clock fast against the host's; none: listened to for too short a time
    double skew_bound_ppm = 0.0;     ///< of its error, either way
    std::uint32_t clock_jumps = 0;   ///< of the device's clock against the host's, or times at which it stood still
    std::vector<double> late_ms;     ///< of each frame, after the fastest; >= 0
};

/// Relation of the clocks by firmware_iface::ClockSync; frames arrive after it. `round_trip_s`: of the wire,
/// > 0; `look_s`: how often it was looked at. Both spans of one size; frames of one look have one arrival.
LatencyFindings find_latency(std::span<const std::uint64_t> device_time_us, std::span<const std::int64_t> arrival_ns,
                             double round_trip_s, double look_s);

/// Bins that double from 0.25 to 64 ms, the first from 0, the last open.
std::vector<LatencyBin> latency_histogram(std::span<const double> late_ms);

}  // namespace topple::hil::check
