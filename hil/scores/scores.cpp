#include "hil/scores/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "hil/scores/losses.hpp"
#include "hil/scores/prediction_difference.hpp"

namespace topple::hil::scores {
namespace {

double squared(double value) noexcept { return value * value; }

/// Base rate on the tests that `losses` are of, or why there is none.
Reference against_rates(std::span<const double> losses, std::span<const std::size_t> kind, std::size_t kinds,
                        std::span<const std::size_t> group) {
    Reference none;
    none.missing = losses.empty() ? "no tests" : "all tests are repeats of one";
    if (losses.empty()) return none;
    const auto rates = rates_of_others(kind, kinds, group);
    if (rates.empty()) return none;
    std::vector<double> reference;
    for (std::size_t i = 0; i < kind.size(); ++i) {
        double loss = 0.0;
        for (std::size_t k = 0; k < kinds; ++k) loss += squared(rates[i][k] - (kind[i] == k ? 1.0 : 0.0));
        reference.push_back(kinds == 2 ? 0.5 * loss : loss);  // of two kinds both errors are the same
    }
    return compared(losses, reference, group);
}

OverturningScores score_overturning(const OrderedTests& all) {
    OverturningScores scores;
    scores.tests = all.tests.size();
    std::vector<double> brier, log;
    std::vector<std::size_t> kind;
    std::set<std::size_t> fell, stood;
    for (std::size_t i = 0; i < all.tests.size(); ++i) {
        const ScoredTest& test = all.tests[i];
        const double p = *overturning_probability(test);
        const bool seen = test.observed.overturned;
        brier.push_back(squared(p - (seen ? 1.0 : 0.0)));
        log.push_back(log_loss(seen ? p : 1.0 - p, test.members));
        kind.push_back(seen ? 1 : 0);
        (seen ? fell : stood).insert(all.group[i]);
        ++scores.counts[seen ? 1 : 0][!test.predicted ? 2 : solver::is_overturning(test.predicted) ? 1 : 0];
        scores.overturned += seen;
        scores.expected_brier += p * (1.0 - p) / static_cast<double>(scores.tests);
    }
    scores.groups = group_count(all.group);
    scores.groups_with_fall = fell.size();
    scores.groups_with_stand = stood.size();
    scores.right = share_of(scores.counts[0][0] + scores.counts[1][1], scores.tests);
    scores.brier = mean_loss(brier, all.group);
    scores.log_score = mean_loss(log, all.group);
    scores.base_rate = against_rates(brier, kind, 2, all.group);
    score_peak_velocity(all, scores);
    scores.reliability = reliability_of(all.tests);
    return scores;
}

ClassScores score_classes(const OrderedTests& all) {
    ClassScores scores;
    std::vector<double> brier, log;
    std::vector<std::size_t> kind, group;
    std::size_t right = 0;
    for (std::size_t i = 0; i < all.tests.size(); ++i) {
        const ScoredTest& test = all.tests[i];
        const auto seen = known_class(test);
        if (!seen) continue;
        const Probabilities probability = class_probabilities(test);
        const std::size_t code = solver::outcome_code(seen);
        double loss = 0.0;
        for (std::size_t k = 0; k < kOutcomes; ++k) loss += squared(probability[k] - (k == code ? 1.0 : 0.0));
        brier.push_back(loss);
        log.push_back(log_loss(probability[code], test.members));
        kind.push_back(code);
        group.push_back(all.group[i]);
        right += predicted_class(test) == seen;
    }
    scores.tests = brier.size();
    scores.right = share_of(right, scores.tests);
    scores.brier = mean_loss(brier, group);
    scores.log_score = mean_loss(log, group);
    scores.base_rate = against_rates(brier, kind, kOutcomes, group);
    return scores;
}

std::string why_uninformative(const OverturningScores& scores) {
    if (scores.tests == 0) return "no test is scored";
    if (scores.overturned == 0) return fmt::format("nothing overturned in any of the {} tests", scores.tests);
    if (scores.overturned == scores.tests) return fmt::format("all {} tests overturned", scores.tests);
    if (scores.groups < kTestsLeast)
        return fmt::format("{} different tests; at least {} are needed", scores.groups, kTestsLeast);
    if (scores.groups_with_fall < kOfEachLeast || scores.groups_with_stand < kOfEachLeast)
        return fmt::format("{} different tests overturned and {} did not; at least {} of each are needed",
                           scores.groups_with_fall, scores.groups_with_stand, kOfEachLeast);
    return {};
}

Verdict verdict_of(const MeanLoss& difference) noexcept {
    if (!difference.interval) return Verdict::uninformative;
    return difference.interval->high < 0.0  ? Verdict::better
           : difference.interval->low > 0.0 ? Verdict::worse
                                            : Verdict::no_difference;
}

void judge(Reference& reference, bool is_informative) {
    if (is_informative && reference.missing.empty()) reference.verdict = verdict_of(reference.difference);
}

/// Classes that few tests ended in say little; that all ended alike, nothing.
bool classes_differ(const Scores& scores) {
    std::size_t seen = 0;
    for (std::size_t row = 0; row < scores.confusion.classes.size(); ++row) {
        std::size_t count = scores.confusion.failed[row];
        for (const std::size_t one : scores.confusion.counts[row]) count += one;
        seen += count > 0;
    }
    return seen > 1;
}

void add_remarks(Scores& scores) {
    const OverturningScores& of = scores.overturning;
    if (scores.without_prediction > 0)
        scores.remarks.push_back(fmt::format("{} tests are not scored: no member of their ensembles has an outcome",
                                             scores.without_prediction));
    if (of.groups < of.tests)
        scores.remarks.push_back(
            fmt::format("{} tests, {} of them different: intervals of the losses count repeats of a test as one, those "
                        "of shares count every test",
                        of.tests, of.groups));
    if (scores.confusion.class_unknown > 0)
        scores.remarks.push_back(
            fmt::format("of {} tests is known only whether something overturned: what is said of classes is of "
                        "the others, which are no fair choice",
                        scores.confusion.class_unknown));
    if (scores.confusion.sliding_is_translation > 0)
        scores.remarks.push_back(
            fmt::format("slip was not looked at: predicted sliding counts as translation in {} "
                        "tests",
                        scores.confusion.sliding_is_translation));
    if (of.peak_velocity.missing.empty() && of.peak_velocity.tests < of.tests)
        scores.remarks.push_back(fmt::format("{} tests have no peak velocity and are not in the comparison with it",
                                             of.tests - of.peak_velocity.tests));
}

}  // namespace

std::string_view name(Verdict verdict) noexcept {
    switch (verdict) {
        case Verdict::better: return "better";
        case Verdict::worse: return "worse";
        case Verdict::no_difference: return "no_difference";
        case Verdict::uninformative: return "uninformative";
    }
    return "";
}

PredictionDifference difference_of(std::span<const ScoredTest> prediction, std::span<const ScoredTest> other) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < prediction.size(); ++i)
        if (overturning_probability(prediction[i]) && overturning_probability(other[i])) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(prediction[a].group, prediction[a].name, a) <
               std::tie(prediction[b].group, prediction[b].name, b);
    });
    std::vector<double> brier, log;
    std::vector<std::size_t> group;
    for (const std::size_t i : order) {
        const ScoredTest &a = prediction[i], &b = other[i];
        const bool repeats = !group.empty() && !a.group.empty() && a.group == prediction[order[group.size() - 1]].group;
        group.push_back(group.empty() ? 0 : group.back() + (repeats ? 0 : 1));
        const double happened = a.observed.overturned ? 1.0 : 0.0;
        const double p = *overturning_probability(a), q = *overturning_probability(b);
        const auto right = [&](double probability) { return happened > 0.5 ? probability : 1.0 - probability; };
        brier.push_back(squared(p - happened) - squared(q - happened));
        log.push_back(log_loss(right(p), a.members) - log_loss(right(q), b.members));
    }
    PredictionDifference difference{mean_loss(brier, group), mean_loss(log, group), Verdict::uninformative};
    if (score(prediction).uninformative.empty()) difference.verdict = verdict_of(difference.brier);
    return difference;
}

Scores score(std::span<const ScoredTest> tests) {
    const OrderedTests all = ordered(tests);
    Scores scores;
    scores.without_prediction = tests.size() - all.tests.size();
    scores.confusion = confusion_of(all.tests);
    scores.overturning = score_overturning(all);
    scores.classes = score_classes(all);
    scores.uninformative = why_uninformative(scores.overturning);
    const bool is_informative = scores.uninformative.empty();
    judge(scores.overturning.base_rate, is_informative);
    judge(scores.overturning.peak_velocity, is_informative);
    judge(scores.classes.base_rate,
          scores.overturning.groups >= kTestsLeast && classes_differ(scores) && scores.confusion.class_unknown == 0);
    add_remarks(scores);
    scores.tests = all.tests;
    return scores;
}

}  // namespace topple::hil::scores
