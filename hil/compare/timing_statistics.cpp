#include "hil/compare/timing_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace topple::hil {

Percentiles percentiles(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const auto rank = [&](double share) {
        const double place = std::ceil(share * static_cast<double>(values.size()));
        return values[static_cast<std::size_t>(std::max(1.0, place)) - 1];
    };
    return {rank(0.50), rank(0.99), values.back()};
}

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

}  // namespace topple::hil
