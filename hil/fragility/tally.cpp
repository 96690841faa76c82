#include "hil/fragility/tally.hpp"

#include <algorithm>
#include <cmath>

namespace topple::hil::fragility {

namespace {

constexpr unsigned kDense = 20'000;  // peaks up to 2 alpha: 80 kB for each value

/// As PeakCounts::fractile(0.5), of a few.
double median_of(std::vector<unsigned>& peaks, std::size_t overturned) {
    const std::size_t all = peaks.size() + overturned;
    if (all == 0) return std::numeric_limits<double>::quiet_NaN();
    const std::size_t middle = (all + 1) / 2 - 1;
    if (middle >= peaks.size()) return kOverturned;
    std::nth_element(peaks.begin(), peaks.begin() + static_cast<std::ptrdiff_t>(middle), peaks.end());
    return peaks[middle] * kPeakUnit;
}

}  // namespace

void PeakCounts::add(unsigned peak) {
    if (peak >= kDense) {
        ++large_[peak];
        return;
    }
    if (peak >= counts_.size()) counts_.resize(peak + 1, 0);
    ++counts_[peak];
}

double PeakCounts::fractile(double share) const {
    std::uint64_t all = overturned_;
    for (const std::uint32_t count : counts_) all += count;
    for (const auto& [peak, count] : large_) all += count;
    if (all == 0) return std::numeric_limits<double>::quiet_NaN();
    const double wanted = std::max(1.0, std::ceil(share * static_cast<double>(all) - 1e-9));
    std::uint64_t below = 0;
    for (std::size_t peak = 0; peak < counts_.size(); ++peak) {
        below += counts_[peak];
        if (static_cast<double>(below) >= wanted) return static_cast<double>(peak) * kPeakUnit;
    }
    for (const auto& [peak, count] : large_) {
        below += count;
        if (static_cast<double>(below) >= wanted) return peak * kPeakUnit;
    }
    return kOverturned;
}

Tally::Tally(const Study& study)
    : values_(study.value_count()),
      members_(study.member_count()),
      has_peaks_(study.section.has_peaks),
      counts_(study.motions.size() * values_),
      peaks_(values_) {}

void Tally::add(const Chunk& chunk, std::span<const RunResult> runs) {
    std::vector<unsigned> peaks;
    for (std::size_t v = 0; v < chunk.value_count; ++v) {
        RunCount& count = counts_[chunk.motion * values_ + chunk.first_value + v];
        peaks.clear();
        for (const RunResult& run : runs.subspan(v * members_, members_)) {
            if (!run.outcome) {
                ++count.failed;
                continue;
            }
            ++count.runs;
            if (run.has_uplifted) ++count.uplifted;
            if (solver::is_overturning(run.outcome))
                ++count.overturned;
            else
                peaks.push_back(run.peak);
        }
        if (!has_peaks_) continue;
        PeakCounts& of_value = peaks_[chunk.first_value + v];
        of_value.add_overturned(count.overturned);
        for (const unsigned peak : peaks) of_value.add(peak);
        count.median_peak = median_of(peaks, count.overturned);
    }
}

}  // namespace topple::hil::fragility
