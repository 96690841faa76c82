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

/// One motion's part in the result.
struct MotionResult {
    std::uint64_t runs = 0, overturned = 0, failed = 0;
    double share = 0.0;  ///< of all overturned runs; a motion like all others has 1 / motions
    /// Factor at which half of its members overturn, first reached between two values; empty: none, or already the
    /// first value.
    std::optional<double> overturning_scale;
    LognormalFit without;  ///< fitted to all other motions
};

/// How much the motions scatter in a measure when they overturn the specimen.
struct Efficiency {
    Measure measure;
    double median = 0.0;      ///< geometric mean
    double dispersion = 0.0;  ///< standard deviation of the logarithm: the smaller, the more efficient
};

struct SpecimenResult {
    std::vector<ValueResult> values;
    LognormalFit fit;
    std::optional<Interval> median_band, dispersion_band;  ///< of the fit, over resampled motions
    std::size_t resamplings = 0, uninformative = 0;        ///< of the motions; of these without a fit
    std::vector<MotionResult> motions;
    std::size_t crossed = 0;             ///< motions with an overturning_scale: those that efficiency speaks of
    std::vector<Efficiency> efficiency;  ///< sorted by dispersion; empty with fewer than kEfficiencyLeast motions
};
inline constexpr std::size_t kEfficiencyLeast = 3;

SpecimenResult evaluate(const Study& study, const Tally& tally);

}  // namespace topple::hil::fragility
