// Was the host on time, and did the device's samples come evenly?
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "firmware_iface/clock_sync.hpp"
#include "hil/run_log/records.hpp"

namespace topple::hil::compare {

struct Percentiles {
    double p50 = 0.0, p99 = 0.0, max = 0.0;
};

/// Nearest-rank percentiles; zeros for an empty list.
Percentiles percentiles(std::vector<double> values);

/// The device's clock against the host's monotonic one (firmware_iface/clock_sync.hpp), at the end of the log.
struct ClockStatistics {
    double skew_ppm = 0.0;  ///< device clock fast
    double skew_bound_ppm = 0.0, skew_limit_ppm = 0.0;
    double bound_s = 0.0;   ///< of the host time given to a sample, either way
    bool drifting = false;  ///< the skew is certainly beyond its limit
    std::vector<firmware_iface::ClockJump> jumps;
};

struct TimingStatistics {
    std::size_t cycles = 0;
    std::uint64_t cycles_missed = 0;
    Percentiles wake_late_us;        ///< actual start of a cycle minus its deadline
    Percentiles busy_us;             ///< duration of a cycle's work
    Percentiles feedback_period_us;  ///< distance of device times
    std::size_t feedback_count = 0;
    std::uint32_t queue_level_min = 0;      ///< least setpoints waiting in the device while it was running
    std::optional<std::string> scheduling;  ///< what the tick's thread was granted; absent: a virtual clock, an import
    std::optional<double> round_trip_us;    ///< of a question and its answer when the table was connected
    std::optional<ClockStatistics> clock;   ///< absent: no host time in the log, or too short
    std::vector<double> wake_late_samples_us, busy_samples_us;  ///< for the histogram
};

TimingStatistics timing_statistics(const run_log::RunData& run);

}  // namespace topple::hil::compare
