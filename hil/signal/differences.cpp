#include "hil/signal/differences.hpp"

namespace topple::hil::signal {

std::vector<double> first_difference(std::span<const double> samples, double step_s) {
    const std::size_t count = samples.size();
    std::vector<double> result(count, 0.0);
    if (count < 2) return result;
    for (std::size_t i = 1; i + 1 < count; ++i) result[i] = (samples[i + 1] - samples[i - 1]) / (2.0 * step_s);
    result.front() = (samples[1] - samples[0]) / step_s;
    result.back() = (samples[count - 1] - samples[count - 2]) / step_s;
    return result;
}

std::vector<double> second_difference(std::span<const double> samples, double step_s) {
    const std::size_t count = samples.size();
    std::vector<double> result(count, 0.0);
    if (count < 3) return result;
    for (std::size_t i = 1; i + 1 < count; ++i)
        result[i] = (samples[i + 1] - 2.0 * samples[i] + samples[i - 1]) / (step_s * step_s);
    result.front() = result[1];
    result.back() = result[count - 2];
    return result;
}

}  // namespace topple::hil::signal
