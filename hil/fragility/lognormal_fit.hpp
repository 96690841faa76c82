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
    step,        ///< nothing falls below its bracket, everything above it, and at most at one value between a part
    none_falls,  ///< uninformative: no run overturned
    all_fall,    ///< uninformative: every run overturned
    too_few,     ///< uninformative: only the first or the last value has runs that fell and runs that stood
    not_rising,  ///< uninformative: what overturns does not become more with intensity
};
std::string_view name(FitState state) noexcept;
constexpr bool is_informative(FitState state) noexcept { return state == FitState::fitted || state == FitState::step; }

/// P(overturning at x) = Phi(ln(x / median) / dispersion).
struct LognormalFit {
    FitState state = FitState::none_falls;
    double median =
        0.0;  ///< of informative fits; of a step the value with a part, or the geometric mean of its bracket
    double dispersion = 0.0;                       ///< standard deviation of the logarithm
    double bracket_low = 0.0, bracket_high = 0.0;  ///< of a step
    /// Of `fitted`: deviance against counts of their own probability each, degrees of freedom, and the probability of a
    /// larger one if the runs were independent. Runs of one record are not, so that it is small sooner than it should.
    double deviance = 0.0, probability = 1.0;
    std::size_t degrees = 0;

    double at(double intensity) const noexcept;  ///< of informative fits
};

/// By maximum likelihood of the binomial counts (probit of ln x); intensities rising.
LognormalFit fit_lognormal(std::span<const IntensityCount> counts);

}  // namespace topple::hil::fragility
