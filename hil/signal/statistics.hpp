// Statistics of samples.
#pragma once

#include <span>
#include <vector>

namespace topple::hil::signal {

double mean(std::span<const double> samples);
double standard_deviation(std::span<const double> samples);  ///< about the mean, n - 1; 0 for fewer than 2 samples
double root_mean_square(std::span<const double> samples);
double largest_magnitude(std::span<const double> samples);  ///< 0 for an empty span; NaN are passed over
double median(std::vector<double> samples);  ///< the upper of two in the middle; `samples` must not be empty

}  // namespace topple::hil::signal
