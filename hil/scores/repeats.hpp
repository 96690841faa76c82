// How alike repeats of the same test ended.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hil/scores/scores.hpp"

namespace topple::hil::scores {

/// Peaks of the repeats that have one.
struct PeakSpread {
    std::size_t tests = 0;
    double median_rad = 0.0, least_rad = 0.0, most_rad = 0.0;
    double standard_deviation_rad = 0.0;  ///< 0 for fewer than 2
};

/// Tests with the same settings.
struct RepeatGroup {
    std::string group;
    std::size_t tests = 0;
    std::array<std::size_t, kOutcomes> outcomes{};  ///< by solver::outcome_code; those whose class is known
    std::size_t class_unknown = 0;
    Share overturned;
    Share most_common;         ///< of the class that most of them ended in, among those whose class is known
    double pairs_alike = 0.0;  ///< share of the pairs of the same class or, where a class is unknown, that both fell
                               ///< or both stood
    std::optional<double> predicted_overturning;  ///< mean probability
    PeakSpread peak;
};

/// Groups of at least two tests, in the order of their names.
std::vector<RepeatGroup> repeat_groups(std::span<const ScoredTest> tests);

/// Pairs of repeats of all groups, and how many of them ended alike in that sense. (No interval: pairs share tests.)
struct PairCount {
    std::size_t alike = 0, pairs = 0;
};
PairCount pairs_alike(std::span<const RepeatGroup> groups) noexcept;

}  // namespace topple::hil::scores
