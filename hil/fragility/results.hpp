// What a study says of one specimen: arithmetic on its tally.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hil/fragility/lognormal_fit.hpp"
#include "hil/fragility/tally.hpp"

namespace topple::hil::fragility {

/// A number with what the resampled motions say of it.
struct Interval {
    double low = 0.0, high = 0.0;  ///< 5 % and 95 % of the resamplings
};

/// At one value of the intensity measure, over all motions and members.
struct ValueResult {
    double intensity = 0.0;
    std::uint64_t runs = 0, overturned = 0, uplifted = 0, failed = 0;
    double peak_16 = 0.0, peak_50 = 0.0, peak_84 = 0.0;  ///< |theta|/alpha; kOverturned; NaN where not wanted
    std::optional<Interval> band{};                      ///< of the fitted probability
};

/// Where the share of overturned members of one motion first reaches one half, over all of its values with runs.
struct Crossing {
    enum class Kind {
        no_runs,
        between,  ///< two values
        above,    ///< the last value: below one half at it
        below,    ///< the first value: one half or more at it
    };
    Kind kind = Kind::no_runs;
    double scale = 0.0;  ///< factor on the motion: of the crossing, or of this last or first value
};

/// One motion's part in the result.
struct MotionResult {
    std::uint64_t runs = 0, overturned = 0, failed = 0;
    double share = 0.0;  ///< of all overturned runs; a motion like all others has 1 / motions
    Crossing crossing;
    LognormalFit without;  ///< fitted to all other motions
};

/// How much the motions scatter in a measure when they overturn the specimen.
struct Efficiency {
    Measure measure;
    double median = 0.0;      ///< of the lognormal
    double dispersion = 0.0;  ///< standard deviation of the logarithm: the smaller, the more efficient
};

struct SpecimenResult {
    std::vector<ValueResult> values;
    LognormalFit fit;
    std::optional<Interval> median_band, dispersion_band;  ///< of the fit, over resampled motions
    /// Of the motions; of these none fell, all fell (which count with the median inf and 0), or without any curve
    /// (which do not count).
    std::size_t resamplings = 0, none_fell = 0, all_fell = 0, uninformative = 0;
    std::vector<MotionResult> motions;
    std::size_t crossed = 0;           ///< motions that cross one half between two values
    std::size_t above = 0, below = 0;  ///< motions that do so above the last or below the first: only bounds
    std::vector<Efficiency>
        efficiency;  ///< sorted by dispersion; empty with fewer than kEfficiencyLeast crossed motions

    std::size_t judged() const noexcept { return crossed + above + below; }  ///< motions that efficiency speaks of
};
inline constexpr std::size_t kEfficiencyLeast = 3;

/// The same with any number of threads.
SpecimenResult evaluate(const Study& study, const Tally& tally, unsigned threads);

}  // namespace topple::hil::fragility
