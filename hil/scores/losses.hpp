// Losses of single tests, and their means. Only for the sources of this room.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hil/scores/scores.hpp"

namespace topple::hil::scores {

/// Tests in an order that does not depend on the one they came in, groups one after the other.
struct OrderedTests {
    std::vector<ScoredTest> tests;   ///< each with a share of some outcome, shares summing to 1
    std::vector<std::size_t> group;  ///< of each test, from 0, never falling
};
OrderedTests ordered(std::span<const ScoredTest> tests);
std::size_t group_count(std::span<const std::size_t> group) noexcept;

/// One loss per test of `group` (numbers that never fall).
MeanLoss mean_loss(std::span<const double> losses, std::span<const std::size_t> group);
/// -ln of the probability of what happened, from so many members.
double log_loss(double probability, std::size_t members) noexcept;

/// Losses of a prediction and of a reference on the same tests.
Reference compared(std::span<const double> prediction, std::span<const double> reference,
                   std::span<const std::size_t> group);

/// Of each test: the share of each kind among the tests of all other groups. `kind` < `kinds`. Empty if there is only
/// one group.
std::vector<std::vector<double>> rates_of_others(std::span<const std::size_t> kind, std::size_t kinds,
                                                 std::span<const std::size_t> group);

Confusion confusion_of(const std::vector<ScoredTest>& tests);
std::vector<ReliabilityBin> reliability_of(const std::vector<ScoredTest>& tests);
Share share_of(std::size_t count, std::size_t total) noexcept;
/// Fills peak_velocity, velocity_fit and velocity_fit_in_folds.
void score_peak_velocity(const OrderedTests& all, OverturningScores& scores);

/// The class to be scored: that seen; empty if only a fall or none is known.
std::optional<solver::Outcome> known_class(const ScoredTest& test) noexcept;
/// Predicted class and probabilities as they compare with what was seen: sliding may count as translation.
std::optional<solver::Outcome> predicted_class(const ScoredTest& test) noexcept;
Probabilities class_probabilities(const ScoredTest& test) noexcept;

}  // namespace topple::hil::scores
