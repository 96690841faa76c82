// Uneven, damaged or missing samples put onto an even grid of device time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace topple::hil::signal {

/// Times start_s + i step_s, i = 0 .. count-1.
struct EvenGrid {
    double start_s = 0.0;
    double step_s = 0.0;  ///< > 0
    std::size_t count = 0;

    double time_s(std::size_t index) const noexcept { return start_s + step_s * static_cast<double>(index); }
    double end_s() const noexcept { return count == 0 ? start_s : time_s(count - 1); }
    std::vector<double> times_s() const;
};

/// One channel as it came: times strictly increase, values finite (clean_samples makes it so).
struct Samples {
    std::vector<double> time_s;
    std::vector<double> value;
};

/// How much of a channel was missing: a gap is a distance of more than 1.5 steps between two good samples.
struct SampleGaps {
    std::size_t dropped = 0;  ///< not finite, or time not after the previous one
    std::size_t gap_count = 0;
    double longest_gap_s = 0.0;  ///< 0 without gaps
};

/// Drops samples that are not finite or not later than their predecessor, and counts what is missing.
Samples clean_samples(std::span<const double> time_s, std::span<const double> value, double step_s, SampleGaps& gaps);

/// Natural cubic spline through the samples (exact at the samples, smooth for a second difference across one
/// missing sample). Outside the samples the nearest value is held. All zero without samples.
std::vector<double> resample_smooth(const Samples& samples, const EvenGrid& grid);
/// Straight lines between the samples; outside, the nearest value is held. All zero without samples.
std::vector<double> resample_linear(const Samples& samples, const EvenGrid& grid);
/// One value of `value` on `grid` at any time, straight lines, ends held.
double interpolate(const EvenGrid& grid, std::span<const double> value, double time_s) noexcept;

/// Median of the distances of the times, s; 0 for fewer than two.
double typical_step_s(std::span<const double> time_s);

}  // namespace topple::hil::signal
