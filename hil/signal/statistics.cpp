#include "hil/signal/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace topple::hil::signal {

double mean(std::span<const double> samples) {
    double sum = 0.0;
    for (double sample : samples) sum += sample;
    return samples.empty() ? 0.0 : sum / static_cast<double>(samples.size());
}

double standard_deviation(std::span<const double> samples) {
    if (samples.size() < 2) return 0.0;
    const double centre = mean(samples);
    double sum = 0.0;
    for (double sample : samples) sum += (sample - centre) * (sample - centre);
    return std::sqrt(sum / static_cast<double>(samples.size() - 1));
}

double root_mean_square(std::span<const double> samples) {
    double sum = 0.0;
    for (double sample : samples) sum += sample * sample;
    return samples.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(samples.size()));
}

double largest_magnitude(std::span<const double> samples) {
    double largest = 0.0;
    for (double sample : samples)
        if (std::abs(sample) > largest) largest = std::abs(sample);
    return largest;
}

double median(std::vector<double> samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
}

}  // namespace topple::hil::signal
