#include "hil/run_log/records.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hil/mcap/format.hpp"

namespace topple::hil::run_log {

std::string_view name(EventKind kind) noexcept {
    switch (kind) {
        case EventKind::recording_start: return "recording_start";
        case EventKind::positioning_start: return "positioning_start";
        case EventKind::motion_start: return "motion_start";
        case EventKind::motion_done: return "motion_done";
        case EventKind::settled: return "settled";
        case EventKind::recording_end: return "recording_end";
        case EventKind::return_start: return "return_start";
        case EventKind::return_done: return "return_done";
        case EventKind::stop_requested: return "stop_requested";
        case EventKind::fault: return "fault";
        case EventKind::link_lost: return "link_lost";
        case EventKind::remark: return "remark";
        case EventKind::clock_jump: return "clock_jump";
        case EventKind::time_skip: return "time_skip";
        case EventKind::recording_cut: return "recording_cut";
        case EventKind::protective_ending: return "protective_ending";
    }
    return "unknown";
}

double overturning_probability(const Forecast& forecast) noexcept {
    constexpr std::size_t kFirst = 3;  // overturning, partial_overturning, total_overturning
    double sum = 0.0;
    for (std::size_t i = kFirst; i < Forecast::kOutcomes; ++i) sum += forecast.probability[i];
    return std::min(sum, 1.0);  // but for rounding it never is more
}

std::string metadata_checksum(const std::map<std::string, std::string>& entries) {
    mcap::Bytes bytes;
    mcap::ByteWriter(bytes).string_map(entries);
    return fmt::format("{:08x}", mcap::crc32(bytes));
}

std::optional<std::uint64_t> RunData::event_time_us(EventKind kind) const noexcept {
    const auto found =
        std::find_if(events.begin(), events.end(), [&](const auto& event) { return event.kind == kind; });
    if (found == events.end()) return std::nullopt;
    return found->device_time_us;
}

}  // namespace topple::hil::run_log
