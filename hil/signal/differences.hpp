// Rates of evenly sampled histories.
#pragma once

#include <span>
#include <vector>

namespace topple::hil::signal {

/// First central difference (one-sided at the ends), unit of samples per second.
std::vector<double> first_difference(std::span<const double> samples, double step_s);

/// Second central difference; the two end values repeat their neighbours.
std::vector<double> second_difference(std::span<const double> samples, double step_s);

}  // namespace topple::hil::signal
