// How good predictions were: confusion, Brier and log scores beside what needs no model, reliability. Arithmetic on
// tests that were predicted and seen; equations in docs/outcome_tables.md.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hil/scores/intervals.hpp"
#include "hil/scores/logistic_fit.hpp"
#include "hil/scores/scored_test.hpp"

namespace topple::hil::scores {

/// Fewer say nothing: the scores are then `uninformative`. Repeats of one test count once.
inline constexpr std::size_t kTestsLeast = 10;  ///< different tests
inline constexpr std::size_t kOfEachLeast = 2;  ///< of them in which something overturned, and in which nothing did

enum class Verdict {
    better,         ///< the interval of the difference of Brier scores to the reference lies below 0
    worse,          ///< above 0
    no_difference,  ///< it contains 0
    uninformative,  ///< too few tests, or all ended alike
};
std::string_view name(Verdict verdict) noexcept;  ///< "better", "worse", "no_difference", "uninformative"

/// A share of tests with its 95 % interval (Wilson; repeats count as tests of their own).
struct Share {
    std::size_t count = 0, total = 0;
    Interval interval;
    double value() const noexcept { return total == 0 ? 0.0 : double(count) / double(total); }
};

/// Tests by what was seen and predicted, both of the classes that occur.
struct Confusion {
    std::vector<solver::Outcome> classes;          ///< in the order of solver::Outcome
    std::vector<std::vector<std::size_t>> counts;  ///< [seen][predicted]
    std::vector<std::size_t> failed;               ///< [seen] whose solution failed
    std::size_t class_unknown = 0;                 ///< further tests of which only is known whether something fell
    std::size_t sliding_is_translation =
        0;  ///< tests with slip unseen in which predicted sliding counts as translation
};

/// A mean loss per test, 0 the best; the interval is bootstrapped over the groups.
struct MeanLoss {
    double value = 0.0;
    std::optional<Interval> interval;
};

/// A prediction without a model, scored on the same tests; each test is predicted from the tests of other groups only.
struct Reference {
    std::string missing;          ///< why there is none; empty: there is one
    std::size_t tests = 0;        ///< that both could be scored on
    MeanLoss brier;               ///< the reference's
    MeanLoss prediction;          ///< the prediction's on these tests
    MeanLoss difference;          ///< prediction - reference: below 0 the prediction is better
    std::optional<double> skill;  ///< 1 - prediction/reference
    Verdict verdict = Verdict::uninformative;
};

/// Tests whose predicted probability of overturning lies in a bin.
struct ReliabilityBin {
    double low = 0.0, high = 0.0;  ///< the last one includes its end
    double mean_probability = 0.0;
    Share overturned;
};

/// Of whether anything overturned.
struct OverturningScores {
    std::size_t tests = 0, overturned = 0, groups = 0;
    std::size_t groups_with_fall = 0, groups_with_stand = 0;
    /// Tests [seen: stood, overturned][predicted: stood, overturned, solution failed].
    std::array<std::array<std::size_t, 3>, 2> counts{};
    Share right;                  ///< predicted (of the specimen as described) as seen
    MeanLoss brier, log_score;    ///< (p - o)^2; -ln of the probability of what happened
    double expected_brier = 0.0;  ///< mean of p (1 - p): the Brier score to be expected if the probabilities are right
    Reference base_rate;          ///< share of overturned tests among the others
    Reference peak_velocity;      ///< logistic fit over ln(peak velocity of the base)
    std::optional<LogisticFit> velocity_fit;  ///< to all tests, over ln(m/s); for the figure and PGV of P = 1/2
    bool velocity_fit_in_folds = false;       ///< many tests: cross-validated in 20 folds instead of one by one
    std::vector<ReliabilityBin> reliability;  ///< without empty ones
};

/// Of which class, where it is known: sum over the classes of (p - o)^2, 0..2. Where it is known of falls more often
/// than of tests that stood, these are a choice by outcome: no verdict.
struct ClassScores {
    std::size_t tests = 0;
    Share right;
    MeanLoss brier, log_score;
    Reference base_rate;
};

struct Scores {
    std::size_t without_prediction = 0;  ///< tests left out: no member has an outcome
    Confusion confusion;
    OverturningScores overturning;
    ClassScores classes;
    std::string uninformative;  ///< why the scores say nothing; empty: they do
    std::vector<std::string> remarks;
    std::vector<ScoredTest> tests;  ///< those that were scored, in the order that the scores do not depend on
};

/// The result does not depend on the order of the tests, to the last digit.
Scores score(std::span<const ScoredTest> tests);

}  // namespace topple::hil::scores
