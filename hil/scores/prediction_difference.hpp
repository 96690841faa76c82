// Two predictions of the same tests, one against the other.
#pragma once

#include <span>

#include "hil/scores/scores.hpp"

namespace topple::hil::scores {

/// Losses of one prediction less those of another of the same tests, of whether anything overturned: below 0 the first
/// one is better.
struct PredictionDifference {
    MeanLoss brier, log_score;
    Verdict verdict = Verdict::uninformative;  ///< of the Brier score
};
/// Both of the same tests in the same order; uninformative as score() of them is. Tests that either has no probability
/// of are left out.
PredictionDifference difference_of(std::span<const ScoredTest> prediction, std::span<const ScoredTest> other);

}  // namespace topple::hil::scores
