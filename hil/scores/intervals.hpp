// Intervals of what is known from few tests only.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace topple::hil::scores {

struct Interval {
    double low = 0.0, high = 0.0;
};

/// 95 % interval of a share, `count` of `total` (Wilson 1927); total > 0.
Interval wilson_interval(std::size_t count, std::size_t total) noexcept;

/// Sum of some quantity over the tests of one group, and how many they are.
struct GroupSum {
    double sum = 0.0;
    std::size_t tests = 0;
};

/// 95 % interval of the mean of that quantity per test: percentiles of the means of kBootstrapDraws drawings of whole
/// groups with replacement, from a fixed seed. Nothing for fewer than 2 groups. The result depends on the order of the
/// groups.
std::optional<Interval> bootstrap_interval(std::span<const GroupSum> groups);
inline constexpr std::size_t kBootstrapDraws = 4000;

}  // namespace topple::hil::scores
