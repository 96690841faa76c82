// Counts over the runs of one specimen: all that the results are made of, in memory that does not grow with the
// members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "hil/fragility/study.hpp"

namespace topple::hil::fragility {

inline constexpr double kOverturned = std::numeric_limits<double>::infinity();  ///< as a peak rotation

/// How many runs had which peak, exact in units of kPeakUnit.
class PeakCounts {
  public:
    void add(unsigned peak);
    void add_overturned(std::uint64_t count) { overturned_ += count; }
    /// Peak |theta|/alpha that `share` of the runs do not exceed: of n runs the ceil(share n)-th in order, overturned
    /// ones last. NaN without runs.
    double fractile(double share) const;

  private:
    std::vector<std::uint32_t> counts_;        ///< of each peak below kDense, as far as there are any
    std::map<unsigned, std::uint64_t> large_;  ///< of those above: bodies that came back from far beyond alpha
    std::uint64_t overturned_ = 0;
};

/// Runs along one motion at one value.
struct RunCount {
    std::uint32_t runs = 0, overturned = 0, uplifted = 0, failed = 0;  ///< runs: without the failed ones
    /// Of the members' peaks, as PeakCounts::fractile(0.5); NaN where peaks are not wanted.
    double median_peak = std::numeric_limits<double>::quiet_NaN();
};

/// Of one specimen; missing chunks leave zeros.
class Tally {
  public:
    explicit Tally(const Study& study);
    void add(const Chunk& chunk, std::span<const RunResult> runs);

    const RunCount& at(std::size_t motion, std::size_t value) const { return counts_[motion * values_ + value]; }
    const PeakCounts& peaks(std::size_t value) const { return peaks_[value]; }

  private:
    std::size_t values_, members_;
    bool has_peaks_;
    std::vector<RunCount> counts_;
    std::vector<PeakCounts> peaks_;
};

}  // namespace topple::hil::fragility
