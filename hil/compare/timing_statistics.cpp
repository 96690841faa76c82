#include "hil/compare/timing_statistics.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace topple::hil::compare {

using run_log::RunData;
using run_log::TimingRecord;

Percentiles percentiles(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const auto rank = [&](double share) {
        const double place = std::ceil(share * static_cast<double>(values.size()));
        return values[static_cast<std::size_t>(std::max(1.0, place)) - 1];
    };
    return {rank(0.50), rank(0.99), values.back()};
}

namespace {

std::optional<double> round_trip_us(const RunData& run) {
    const auto found = run.metadata.find("link_round_trip_us");
    if (found == run.metadata.end()) return std::nullopt;
    double value = 0.0;
    const std::string& text = found->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<std::string> scheduling(const RunData& run) {
    const std::string_view begin = run_log::kTickThread;
    for (const run_log::EventRecord& event : run.events)
        if (event.kind == run_log::EventKind::remark && event.text.starts_with(begin))
            return event.text.substr(begin.size());
    return std::nullopt;
}

double median_period_s(const std::vector<TimingRecord>& timing) {
    std::vector<double> periods;
    for (std::size_t i = 1; i < timing.size(); ++i)
        periods.push_back(1e-9 * static_cast<double>(timing[i].deadline_ns - timing[i - 1].deadline_ns));
    return percentiles(std::move(periods)).p50;
}

// The same readings that the tick followed the clock by.
std::optional<ClockStatistics> clock_statistics(const RunData& run, std::optional<double> round_trip) {
    firmware_iface::ClockSyncSettings settings;
    if (round_trip) settings.round_trip_s = 1e-6 * *round_trip;
    settings.reading_period_s = median_period_s(run.timing);
    if (!(settings.reading_period_s > 0.0)) return std::nullopt;
    firmware_iface::ClockSync sync(settings);
    ClockStatistics clock;
    std::uint64_t newest_us = 0;
    for (const TimingRecord& record : run.timing) {
        if (record.device_time_us == 0) continue;  // nothing had been heard yet
        newest_us = record.device_time_us;
        const auto jump =
            sync.observe(newest_us, firmware_iface::Nanoseconds(record.deadline_ns + record.wake_late_ns));
        if (jump) clock.jumps.push_back(*jump);
    }
    if (!sync.ready() && clock.jumps.empty()) return std::nullopt;
    clock.skew_ppm = sync.skew_ppm();
    clock.skew_bound_ppm = sync.skew_bound_ppm();
    clock.skew_limit_ppm = settings.skew_limit_ppm;
    clock.bound_s = sync.bound_s(newest_us);
    clock.drifting = sync.drifting();
    return clock;
}

}  // namespace

TimingStatistics timing_statistics(const RunData& run) {
    TimingStatistics result;
    result.cycles = run.timing.size();
    for (const TimingRecord& record : run.timing) {
        result.cycles_missed += record.cycles_missed;
        result.wake_late_samples_us.push_back(1e-3 * static_cast<double>(record.wake_late_ns));
        result.busy_samples_us.push_back(1e-3 * static_cast<double>(record.busy_ns));
    }
    result.wake_late_us = percentiles(result.wake_late_samples_us);
    result.busy_us = percentiles(result.busy_samples_us);
    result.scheduling = scheduling(run);
    result.round_trip_us = round_trip_us(run);
    result.clock = clock_statistics(run, result.round_trip_us);
    result.feedback_count = run.feedback.size();
    std::vector<double> periods;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t i = 0; i < run.feedback.size(); ++i) {
        const auto& now = run.feedback[i];
        if (i > 0)
            periods.push_back(static_cast<double>(
                static_cast<std::int64_t>(now.device_time_us - run.feedback[i - 1].device_time_us)));
        if (now.state == firmware_iface::DeviceState::running && !now.motion_done)
            least = std::min(least, now.queue_level);
    }
    result.feedback_period_us = percentiles(std::move(periods));
    result.queue_level_min = least == std::numeric_limits<std::uint32_t>::max() ? 0 : least;
    return result;
}

}  // namespace topple::hil::compare
