#include "solver/identify/lobe_search.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver {
namespace {

constexpr double kResting_ratio = 0.1;      // of the largest rotation: spread of a history's end that counts as rest
constexpr double kRisingStart_ratio = 0.7;  // a first run that starts lower than this share of its peak is a whole lobe
constexpr double kApexCeiling_ratio = 1 - 1e-6;  // of alpha: noise may lift a sample above what can come back

struct SampleRun {
    int side = 0;
    std::size_t first = 0, last = 0;
};

std::vector<SampleRun> runs_beyond(const RotationHistory& history, double offset_rad, double threshold_rad) {
    std::vector<SampleRun> runs;
    for (std::size_t i = 0; i < history.time_s.size(); ++i) {
        const double rotation = history.rotation_rad[i] - offset_rad;
        if (std::abs(rotation) <= threshold_rad) continue;
        const int side = rotation > 0.0 ? 1 : -1;
        if (runs.empty() || runs.back().side != side) runs.push_back({side, i, i});
        runs.back().last = i;
    }
    return runs;
}

MeasuredLobe lobe_of(const RockingShape& shape, const RotationHistory& history, double offset_rad, const SampleRun& run,
                     bool is_first) {
    const auto height = [&](std::size_t i) { return run.side * (history.rotation_rad[i] - offset_rad); };
    MeasuredLobe lobe;
    lobe.side = run.side;
    double peak = 0.0;
    for (std::size_t i = run.first; i <= run.last; ++i) peak = std::max(peak, height(i));
    lobe.apex_rad.value = std::min(peak, kApexCeiling_ratio * shape.slenderness_rad);
    lobe.half_duration_s = FreeLobe(shape, lobe.apex_rad.value).half_duration_s();
    lobe.sample_count = run.last - run.first + 1;
    lobe.is_released = is_first && height(run.first) > kRisingStart_ratio * peak;
    lobe.apex_s = 0.5 * (history.time_s[run.first] + history.time_s[run.last]);
    if (lobe.is_released) {
        // The last sample of the run is a little before the impact: by what it still has to fall.
        const FreeLobe motion(shape, lobe.apex_rad.value);
        double low = 0.0, high = motion.half_duration_s();
        const double target = std::min(height(run.last), lobe.apex_rad.value);
        for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (low + high);
            (motion.rotation_rad(middle) > target ? low : high) = middle;
        }
        lobe.apex_s = history.time_s[run.last] - low;
    }
    return lobe;
}

}  // namespace

std::vector<MeasuredLobe> search_lobes(const RockingShape& shape, const RotationHistory& history, double offset_rad,
                                       double threshold_rad) {
    std::vector<MeasuredLobe> lobes;
    for (const SampleRun& run : runs_beyond(history, offset_rad, threshold_rad))
        lobes.push_back(lobe_of(shape, history, offset_rad, run, lobes.empty()));
    return lobes;
}

double resting_rotation_rad(const RotationHistory& history) {
    const auto& rotation = history.rotation_rad;
    double largest = 0.0, sum = 0.0;
    for (const double value : rotation) largest = std::max(largest, std::abs(value));
    const std::size_t count = std::max<std::size_t>(5, rotation.size() / 20);
    if (count > rotation.size()) return 0.0;
    const auto [least, most] = std::minmax_element(rotation.end() - static_cast<std::ptrdiff_t>(count), rotation.end());
    if (*most - *least > kResting_ratio * largest) return 0.0;
    for (auto at = rotation.end() - static_cast<std::ptrdiff_t>(count); at != rotation.end(); ++at) sum += *at;
    return sum / static_cast<double>(count);
}

}  // namespace topple::solver
