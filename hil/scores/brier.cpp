// Order of the tests, their losses and the means of them.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "hil/scores/losses.hpp"

namespace topple::hil::scores {
namespace {

/// Everything that a score depends on, so that tests in any order are put into the same one.
bool before(const ScoredTest& a, const ScoredTest& b) {
    const auto key = [](const ScoredTest& test) {
        return std::tie(test.group, test.name, test.probability, test.members, test.predicted, test.observed.overturned,
                        test.observed.outcome, test.observed.slip_unseen, test.peak_velocity_m_s,
                        test.peak_rotation_rad);
    };
    return key(a) < key(b);
}

std::vector<GroupSum> sums_of(std::span<const double> losses, std::span<const std::size_t> group) {
    std::vector<GroupSum> sums;
    for (std::size_t i = 0; i < losses.size(); ++i) {
        if (i == 0 || group[i] != group[i - 1]) sums.emplace_back();
        sums.back().sum += losses[i];
        ++sums.back().tests;
    }
    return sums;
}

double mean_of(std::span<const double> losses) {
    return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
}

}  // namespace

OrderedTests ordered(std::span<const ScoredTest> tests) {
    OrderedTests all;
    for (const ScoredTest& test : tests) {
        const double sum = std::accumulate(test.probability.begin(), test.probability.end(), 0.0);
        if (!(sum > 0.0)) continue;
        all.tests.push_back(test);
        for (double& share : all.tests.back().probability) share /= sum;
    }
    std::sort(all.tests.begin(), all.tests.end(), before);
    for (std::size_t i = 0; i < all.tests.size(); ++i) {
        const bool repeats = i > 0 && !all.tests[i].group.empty() && all.tests[i].group == all.tests[i - 1].group;
        all.group.push_back(i == 0 ? 0 : all.group.back() + (repeats ? 0 : 1));
    }
    return all;
}

std::size_t group_count(std::span<const std::size_t> group) noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i < group.size(); ++i) count += i == 0 || group[i] != group[i - 1];
    return count;
}

MeanLoss mean_loss(std::span<const double> losses, std::span<const std::size_t> group) {
    if (losses.empty()) return {};
    MeanLoss mean{mean_of(losses), {}};
    const auto [least, most] = std::minmax_element(losses.begin(), losses.end());
    if (*least < *most) mean.interval = bootstrap_interval(sums_of(losses, group));
    return mean;
}

double log_loss(double probability, std::size_t members) noexcept {
    constexpr double kUnstated = 1e-3;
    const double least = members == 0 ? kUnstated : 0.5 / (static_cast<double>(members) + 1.0);
    return -std::log(std::clamp(probability, least, 1.0 - least));
}

Reference compared(std::span<const double> prediction, std::span<const double> reference,
                   std::span<const std::size_t> group) {
    Reference result;
    result.tests = prediction.size();
    result.brier = mean_loss(reference, group);
    result.prediction = mean_loss(prediction, group);
    std::vector<double> differences(prediction.size());
    for (std::size_t i = 0; i < differences.size(); ++i) differences[i] = prediction[i] - reference[i];
    // Also where all differ alike, as of perfect predictions: then it is known how.
    result.difference = {mean_of(differences), bootstrap_interval(sums_of(differences, group))};
    if (result.brier.value > 0.0) result.skill = 1.0 - result.prediction.value / result.brier.value;
    return result;
}

}  // namespace topple::hil::scores
