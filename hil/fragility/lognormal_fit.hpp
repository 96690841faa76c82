// A lognormal fragility curve through counts of overturned runs: arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace topple::hil::fragility {

struct IntensityCount {
    double intensity = 0.0;  ///< > 0
    std::uint64_t runs = 0, overturned = 0;
};

enum class FitState {
    fitted,
    extrapolated,  ///< fitted, with a median outside the values
    step,          ///< nothing falls below its bracket, everything above it, and at most at one value between a part
    none_falls,    ///< uninformative: no run overturned
    all_fall,      ///< uninformative: every run overturned
    too_few,       ///< uninformative: only the first or the last value has runs that fell and runs that stood
    no_runs,       ///< uninformative: no run is done
    unconverged,   ///< uninformative: the likelihood has no maximum that was found
    not_rising,    ///< uninformative: what overturns does not become more with intensity
};
std::string_view name(FitState state) noexcept;
constexpr bool has_curve(FitState state) noexcept {
    return state == FitState::fitted || state == FitState::extrapolated;
}
constexpr bool is_informative(FitState state) noexcept { return has_curve(state) || state == FitState::step; }

/// P(overturning at x) = Phi(ln(x / median) / dispersion).
struct LognormalFit {
    FitState state = FitState::no_runs;
    double median =
        0.0;  ///< of informative fits; of a step the value with a part, or the geometric mean of its bracket
    double dispersion = 0.0;                       ///< standard deviation of the logarithm
    double bracket_low = 0.0, bracket_high = 0.0;  ///< of a step
    /// Of a curve: deviance of the shares of the motions against probabilities of their own at each value, degrees of
    /// freedom, and the probability of a larger one if the motions were independent at each value. Values where nearly
    /// nothing or nearly all falls, n p (1 - p) < 1 of n motions, do not count.
    double deviance = 0.0, probability = 1.0;
    std::size_t degrees = 0;

    double at(double intensity) const noexcept;  ///< of informative fits
};

/// By maximum likelihood of the binomial counts (probit of ln x); intensities rising. `runs_per_motion`: by it the
/// counts are divided for the deviance, because motions are the trials and not their members.
LognormalFit fit_lognormal(std::span<const IntensityCount> counts, double runs_per_motion = 1.0);

}  // namespace topple::hil::fragility
