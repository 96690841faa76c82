// Predictions without a model, each test from the others: rates of the outcomes, and a logistic fit over the peak
// velocity of the base.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "hil/scores/losses.hpp"

namespace topple::hil::scores {
namespace {

constexpr std::size_t kOneByOneMax = 200;  // groups; above, folds: 20 fits instead of hundreds
constexpr std::size_t kFolds = 20;
constexpr std::size_t kVelocitiesLeast = 3;

/// Tests that have a peak velocity, in their order.
struct OverVelocity {
    std::vector<LogisticPoint> points;
    std::vector<double> losses;  ///< of the prediction
    std::vector<std::size_t> group;
};

OverVelocity over_velocity(const OrderedTests& all) {
    OverVelocity chosen;
    for (std::size_t i = 0; i < all.tests.size(); ++i) {
        const ScoredTest& test = all.tests[i];
        if (!test.peak_velocity_m_s || !(*test.peak_velocity_m_s > 0.0)) continue;
        const double error = *overturning_probability(test) - (test.observed.overturned ? 1.0 : 0.0);
        chosen.points.push_back({std::log(*test.peak_velocity_m_s), test.observed.overturned});
        chosen.losses.push_back(error * error);
        chosen.group.push_back(all.group[i]);
    }
    return chosen;
}

std::string missing_fit(const OverVelocity& tests) {
    std::set<double> velocities;
    std::set<std::size_t> fell, stood;
    for (std::size_t i = 0; i < tests.points.size(); ++i) {
        velocities.insert(tests.points[i].x);
        (tests.points[i].happened ? fell : stood).insert(tests.group[i]);
    }
    if (tests.points.empty()) return "no test has a peak velocity of its base";
    if (velocities.size() < kVelocitiesLeast)
        return fmt::format("{} different peak velocities; at least {} are needed", velocities.size(), kVelocitiesLeast);
    if (fell.size() < kOfEachLeast || stood.size() < kOfEachLeast)
        return fmt::format(
            "of the tests with a peak velocity {} different ones overturned and {} did not; at least {} "
            "of each are needed",
            fell.size(), stood.size(), kOfEachLeast);
    return {};
}

/// Fold of each test; the tests of a group are in the same one.
std::vector<std::size_t> folds_of(const std::vector<std::size_t>& group, bool in_folds) {
    std::vector<std::size_t> folds;
    std::size_t rank = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (i > 0 && group[i] != group[i - 1]) ++rank;
        folds.push_back(in_folds ? rank % kFolds : rank);
    }
    return folds;
}

/// Losses of fits to the tests of all other folds; empty if one of the fits is impossible.
std::vector<double> cross_validated(const OverVelocity& tests, const std::vector<std::size_t>& folds) {
    std::vector<double> losses(tests.points.size());
    const std::size_t count = *std::max_element(folds.begin(), folds.end()) + 1;
    for (std::size_t fold = 0; fold < count; ++fold) {
        std::vector<LogisticPoint> others;
        for (std::size_t i = 0; i < folds.size(); ++i)
            if (folds[i] != fold) others.push_back(tests.points[i]);
        const auto fit = fit_logistic(others);
        if (!fit) return {};
        for (std::size_t i = 0; i < folds.size(); ++i) {
            if (folds[i] != fold) continue;
            const double error = fit->at(tests.points[i].x) - (tests.points[i].happened ? 1.0 : 0.0);
            losses[i] = error * error;
        }
    }
    return losses;
}

}  // namespace

std::vector<std::vector<double>> rates_of_others(std::span<const std::size_t> kind, std::size_t kinds,
                                                 std::span<const std::size_t> group) {
    if (group_count(group) < 2) return {};
    std::vector<std::size_t> all(kinds);
    for (const std::size_t one : kind) ++all[one];
    std::vector<std::vector<double>> rates;
    for (std::size_t first = 0; first < kind.size();) {
        std::size_t end = first;
        std::vector<std::size_t> others = all;
        for (; end < kind.size() && group[end] == group[first]; ++end) --others[kind[end]];
        std::vector<double> rate(kinds);
        for (std::size_t k = 0; k < kinds; ++k)
            rate[k] = static_cast<double>(others[k]) / static_cast<double>(kind.size() - (end - first));
        rates.insert(rates.end(), end - first, rate);
        first = end;
    }
    return rates;
}

void score_peak_velocity(const OrderedTests& all, OverturningScores& scores) {
    const OverVelocity tests = over_velocity(all);
    scores.peak_velocity.missing = missing_fit(tests);
    if (!scores.peak_velocity.missing.empty()) return;
    scores.velocity_fit_in_folds = group_count(tests.group) > kOneByOneMax;
    const auto losses = cross_validated(tests, folds_of(tests.group, scores.velocity_fit_in_folds));
    scores.velocity_fit = fit_logistic(tests.points);
    if (losses.empty() || !scores.velocity_fit) {
        scores.velocity_fit.reset();
        scores.peak_velocity.missing =
            "no fit is possible: without some of the tests all peak velocities are the same, or the fit did not "
            "converge";
        return;
    }
    scores.peak_velocity = compared(tests.losses, losses, tests.group);
}

}  // namespace topple::hil::scores
