// Observed shares over predicted probabilities.
#include <algorithm>

#include "hil/scores/losses.hpp"

namespace topple::hil::scores {
namespace {

constexpr std::size_t kTestsPerBin = 10;

/// Ends at round numbers; about ten tests or more for a bin, if they lie evenly.
std::size_t bin_count(std::size_t tests) noexcept {
    for (const std::size_t count : {10u, 5u, 4u})
        if (tests >= count * kTestsPerBin) return count;
    return 2;
}

}  // namespace

Share share_of(std::size_t count, std::size_t total) noexcept {
    return {count, total, total == 0 ? Interval{0.0, 1.0} : wilson_interval(count, total)};
}

std::vector<ReliabilityBin> reliability_of(const std::vector<ScoredTest>& tests) {
    const std::size_t count = bin_count(tests.size());
    struct Sum {
        std::size_t tests = 0, overturned = 0;
        double probability = 0.0;
    };
    std::vector<Sum> sums(count);
    for (const ScoredTest& test : tests) {
        const double probability = overturning_probability(test).value_or(0.0);
        const auto bin = std::min(count - 1, static_cast<std::size_t>(probability * static_cast<double>(count)));
        ++sums[bin].tests;
        sums[bin].overturned += test.observed.overturned;
        sums[bin].probability += probability;
    }
    std::vector<ReliabilityBin> bins;
    const double n = static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i)
        if (sums[i].tests > 0)
            bins.push_back({static_cast<double>(i) / n, static_cast<double>(i + 1) / n,
                            sums[i].probability / static_cast<double>(sums[i].tests),
                            share_of(sums[i].overturned, sums[i].tests)});
    return bins;
}

}  // namespace topple::hil::scores
