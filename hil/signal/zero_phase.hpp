// Filters without delay for measured histories: every compared channel goes through the same one.
#pragma once

#include <span>
#include <vector>

namespace topple::hil {

/// Second-order Butterworth low-pass run forward and backward: zero phase, fourth-order roll-off, its -3 dB
/// point at `cutoff_hz` *after both passes*. The ends are continued by odd reflection. A cutoff at or above
/// 0.4 of the sampling rate returns the input unchanged. Input must be finite. Derived in
/// docs/report.md#filter.
std::vector<double> zero_phase_low_pass(std::span<const double> samples, double sampling_rate_hz, double cutoff_hz);

/// First central difference (one-sided at the ends), unit of samples per second.
std::vector<double> first_difference(std::span<const double> samples, double step_s);

/// Second central difference; the two end values repeat their neighbours.
std::vector<double> second_difference(std::span<const double> samples, double step_s);

double mean(std::span<const double> samples);
double standard_deviation(std::span<const double> samples);  ///< about the mean, n - 1; 0 for fewer than 2 samples
double root_mean_square(std::span<const double> samples);
double largest_magnitude(std::span<const double> samples);  ///< 0 for an empty span; NaN are passed over

}  // namespace topple::hil
