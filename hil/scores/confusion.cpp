// Tests by what was seen and what was predicted.
#include <algorithm>

#include "hil/scores/losses.hpp"

namespace topple::hil::scores {
namespace {

using solver::Outcome;

bool slides_unseen(const ScoredTest& test) noexcept {
    return test.observed.slip_unseen &&
           (test.predicted == Outcome::sliding || test.probability[solver::outcome_code(Outcome::sliding)] > 0.0);
}

bool is_of_stack(const ScoredTest& test) noexcept {
    return test.predicted == Outcome::partial_overturning || test.predicted == Outcome::total_overturning ||
           test.probability[solver::outcome_code(Outcome::partial_overturning)] > 0.0 ||
           test.probability[solver::outcome_code(Outcome::total_overturning)] > 0.0;
}

}  // namespace

std::optional<Outcome> known_class(const ScoredTest& test) noexcept {
    if (test.observed.outcome == Outcome::overturning && is_of_stack(test)) return std::nullopt;
    return test.observed.outcome;
}

std::optional<Outcome> predicted_class(const ScoredTest& test) noexcept {
    if (test.predicted == Outcome::sliding && test.observed.slip_unseen) return Outcome::translation;
    return test.predicted;
}

Probabilities class_probabilities(const ScoredTest& test) noexcept {
    Probabilities all = test.probability;
    if (!test.observed.slip_unseen) return all;
    double& sliding = all[solver::outcome_code(Outcome::sliding)];
    all[solver::outcome_code(Outcome::translation)] += sliding;
    sliding = 0.0;
    return all;
}

Confusion confusion_of(const std::vector<ScoredTest>& tests) {
    Confusion result;
    std::array<bool, kOutcomes> occurs{};
    for (const ScoredTest& test : tests) {
        const auto seen = known_class(test);
        if (!seen) {
            ++result.class_unknown;
            continue;
        }
        result.sliding_is_translation += slides_unseen(test);
        occurs[solver::outcome_code(seen)] = true;
        if (const auto predicted = predicted_class(test)) occurs[solver::outcome_code(predicted)] = true;
    }
    std::array<std::size_t, kOutcomes> place{};
    for (std::size_t code = 0; code < kOutcomes; ++code) {
        if (!occurs[code]) continue;
        place[code] = result.classes.size();
        result.classes.push_back(*solver::outcome_of_code(static_cast<unsigned>(code)));
    }
    result.counts.assign(result.classes.size(), std::vector<std::size_t>(result.classes.size()));
    result.failed.resize(result.classes.size());
    for (const ScoredTest& test : tests) {
        const auto seen = known_class(test);
        if (!seen) continue;
        const std::size_t row = place[solver::outcome_code(seen)];
        if (const auto predicted = predicted_class(test))
            ++result.counts[row][place[solver::outcome_code(predicted)]];
        else
            ++result.failed[row];
    }
    return result;
}

}  // namespace topple::hil::scores
