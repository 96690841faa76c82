#include "hil/fragility/tally.hpp"

#include <cmath>

namespace topple::hil::fragility {

void PeakCounts::merge(const PeakCounts& other) {
    for (const auto& [peak, count] : other.counts_) counts_[peak] += count;
    overturned_ += other.overturned_;
}

double PeakCounts::fractile(double share) const {
    std::uint64_t all = overturned_;
    for (const auto& [peak, count] : counts_) all += count;
    if (all == 0) return std::numeric_limits<double>::quiet_NaN();
    const double wanted = std::max(1.0, std::ceil(share * static_cast<double>(all) - 1e-9));
    std::uint64_t below = 0;
    for (const auto& [peak, count] : counts_) {
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
    for (std::size_t v = 0; v < chunk.value_count; ++v) {
        RunCount& count = counts_[chunk.motion * values_ + chunk.first_value + v];
        PeakCounts peaks;
        for (const RunResult& run : runs.subspan(v * members_, members_)) {
            if (!run.outcome) {
                ++count.failed;
                continue;
            }
            ++count.runs;
            if (run.has_uplifted) ++count.uplifted;
            if (solver::is_overturning(run.outcome)) {
                ++count.overturned;
                peaks.add_overturned();
            } else {
                peaks.add(run.peak);
            }
        }
        if (!has_peaks_) continue;
        count.median_peak = peaks.fractile(0.5);
        peaks_[chunk.first_value + v].merge(peaks);
    }
}

void Tally::merge(const Tally& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        const RunCount& more = other.counts_[i];
        if (more.runs + more.failed > 0) counts_[i] = more;  // a motion at a value is in one chunk
    }
    for (std::size_t v = 0; v < values_; ++v) peaks_[v].merge(other.peaks_[v]);
}

}  // namespace topple::hil::fragility
