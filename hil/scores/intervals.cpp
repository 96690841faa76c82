#include "hil/scores/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/numerics/random_sequence.hpp"

namespace topple::hil::scores {
namespace {

constexpr double kNormal975 = 1.959963984540054;  // quantile of the standard normal distribution
constexpr std::uint64_t kSeed = 1927;

}  // namespace

Interval wilson_interval(std::size_t count, std::size_t total) noexcept {
    const double n = static_cast<double>(total), share = static_cast<double>(count) / n;
    const double z2 = kNormal975 * kNormal975, scale = 1.0 / (1.0 + z2 / n);
    const double centre = scale * (share + z2 / (2.0 * n));
    const double half = scale * kNormal975 * std::sqrt(share * (1.0 - share) / n + z2 / (4.0 * n * n));
    return {count == 0 ? 0.0 : centre - half, count == total ? 1.0 : centre + half};
}

std::optional<Interval> bootstrap_interval(std::span<const GroupSum> groups) {
    if (groups.size() < 2) return std::nullopt;
    solver::SplitMix64 random(kSeed);
    std::vector<double> means(kBootstrapDraws);
    for (double& mean : means) {
        GroupSum drawn;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const GroupSum& group =
                groups[static_cast<std::size_t>(random.uniform() * static_cast<double>(groups.size()))];
            drawn.sum += group.sum;
            drawn.tests += group.tests;
        }
        mean = drawn.sum / static_cast<double>(drawn.tests);
    }
    const auto at = [&](double share) {
        const auto place = means.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(means.size()));
        std::nth_element(means.begin(), place, means.end());
        return *place;
    };
    const double low = at(0.025);
    return Interval{low, at(0.975)};
}

}  // namespace topple::hil::scores
