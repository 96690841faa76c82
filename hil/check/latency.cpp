#include "hil/check/latency.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "firmware_iface/clock_sync.hpp"

namespace topple::hil::check {
namespace {

constexpr double kFirstBin_ms = 0.25, kLastBin_ms = 64.0;

}  // namespace

LatencyFindings find_latency(std::span<const std::uint64_t> device_time_us, std::span<const std::int64_t> arrival_ns,
                             double round_trip_s, double look_s) {
    LatencyFindings found;
    firmware_iface::ClockSync sync({.round_trip_s = round_trip_s, .reading_period_s = look_s});
    for (std::size_t i = 0; i < device_time_us.size(); ++i) {
        const bool newest_of_look = i + 1 == device_time_us.size() || arrival_ns[i + 1] != arrival_ns[i];
        if (newest_of_look) sync.observe(device_time_us[i], firmware_iface::Nanoseconds(arrival_ns[i]));
    }
    if (sync.ready()) found.skew_ppm = sync.skew_ppm();
    found.skew_bound_ppm = sync.skew_bound_ppm();
    found.clock_jumps = sync.jumps();
    double earliest_ms = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < device_time_us.size(); ++i) {
        found.late_ms.push_back(1e-6 * static_cast<double>(arrival_ns[i] - sync.host_time(device_time_us[i]).count()));
        earliest_ms = std::min(earliest_ms, found.late_ms.back());
    }
    for (double& late_ms : found.late_ms) late_ms -= earliest_ms;
    return found;
}

std::vector<LatencyBin> latency_histogram(std::span<const double> late_ms) {
    std::vector<LatencyBin> bins{{0.0, kFirstBin_ms, 0}};
    for (double from_ms = kFirstBin_ms; from_ms < kLastBin_ms; from_ms *= 2.0)
        bins.push_back({from_ms, 2.0 * from_ms, 0});
    bins.push_back({kLastBin_ms, std::nullopt, 0});
    for (const double late : late_ms) {
        const auto bin =
            std::find_if(bins.begin(), bins.end(), [&](const LatencyBin& b) { return !b.to_ms || late < *b.to_ms; });
        ++bin->count;
    }
    return bins;
}

}  // namespace topple::hil::check
