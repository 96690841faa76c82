#include <algorithm>
#include <cmath>

#include "solver/identify/spikes.hpp"

namespace topple::solver {
namespace {

constexpr std::size_t kReach = 2;       // neighbours to either side
constexpr double kNoiseMultiple = 8.0;  // of the robust deviation; white noise reaches it once in 1e14 samples
constexpr double kDeviationOfMedian = 1.4826;

double median_of(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

std::vector<std::size_t> find_spikes(const RotationHistory& history, double rate_max_rad_s, double step_rad) {
    const std::size_t count = history.rotation_rad.size();
    if (count < 2 * kReach + 1) return {};
    std::vector<double> departure(count), window;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t from = i < kReach ? 0 : i - kReach, to = std::min(count, i + kReach + 1);
        window.assign(history.rotation_rad.begin() + static_cast<std::ptrdiff_t>(from),
                      history.rotation_rad.begin() + static_cast<std::ptrdiff_t>(to));
        departure[i] = std::abs(history.rotation_rad[i] - median_of(window));
    }
    std::vector<double> sorted = departure;
    const double noise_rad = kDeviationOfMedian * median_of(sorted);
    std::vector<std::size_t> spikes;
    for (std::size_t i = 0; i < count; ++i) {
        const double before_s = history.time_s[i] - history.time_s[i < kReach ? 0 : i - kReach];
        const double after_s = history.time_s[std::min(count - 1, i + kReach)] - history.time_s[i];
        const double allowed =
            rate_max_rad_s * std::max(before_s, after_s) + kNoiseMultiple * noise_rad + 2.0 * step_rad;
        if (departure[i] > allowed) spikes.push_back(i);
    }
    return spikes;
}

RotationHistory without(const RotationHistory& history, const std::vector<std::size_t>& indices) {
    RotationHistory kept;
    auto next = indices.begin();
    for (std::size_t i = 0; i < history.time_s.size(); ++i) {
        if (next != indices.end() && *next == i) {
            ++next;
            continue;
        }
        kept.time_s.push_back(history.time_s[i]);
        kept.rotation_rad.push_back(history.rotation_rad[i]);
    }
    return kept;
}

}  // namespace topple::solver
