// Words that the text and the page of scores share. Only for the sources of this room.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "hil/scores/repeats.hpp"
#include "hil/scores/scores.hpp"

namespace topple::hil::scores {

/// "41 of 48 (85 %; 95 %: 73 to 93 %)".
inline std::string share_words(const Share& share) {
    if (share.total == 0) return "none";
    return fmt::format("{} of {} ({:.0f} %; 95 %: {:.0f} to {:.0f} %)", share.count, share.total, 100.0 * share.value(),
                       100.0 * share.interval.low, 100.0 * share.interval.high);
}

/// "0.081 (95 %: 0.052 to 0.113)".
inline std::string loss_words(const MeanLoss& loss) {
    if (!loss.interval) return fmt::format("{:.3f}", loss.value);
    return fmt::format("{:.3f} (95 %: {:.3f} to {:.3f})", loss.value, loss.interval->low, loss.interval->high);
}

/// "the prediction is better", ...
inline std::string verdict_words(Verdict verdict) {
    switch (verdict) {
        case Verdict::better: return "the prediction is better";
        case Verdict::worse: return "the prediction is worse";
        case Verdict::no_difference: return "no difference to be seen";
        case Verdict::uninformative: return "uninformative";
    }
    return {};
}

/// A score's line: what it is, its value, and beside it what a prediction without a model has.
struct ScoreLine {
    std::string what, value, note;
};

inline std::string skill_words(const Reference& reference) {
    const std::string skill = reference.skill ? fmt::format("skill {:.2f}; ", *reference.skill) : std::string();
    return fmt::format("{}difference {}: {}", skill, loss_words(reference.difference),
                       verdict_words(reference.verdict));
}

inline ScoreLine reference_line(const std::string& what, const Reference& reference) {
    if (!reference.missing.empty()) return {what, "none", reference.missing};
    return {what, loss_words(reference.brier), skill_words(reference)};
}

/// "rocking 3, overturning 2".
inline std::string outcomes_words(const RepeatGroup& group) {
    std::string text;
    for (std::size_t code = 0; code < kOutcomes; ++code)
        if (group.outcomes[code] > 0)
            text +=
                fmt::format("{}{} {}", text.empty() ? "" : ", ",
                            solver::name(solver::outcome_of_code(static_cast<unsigned>(code))), group.outcomes[code]);
    if (group.class_unknown > 0)
        text += fmt::format("{}class unknown {}", text.empty() ? "" : ", ", group.class_unknown);
    return text;
}

inline std::string peak_words(const PeakSpread& peak) {
    if (peak.tests == 0) return "";
    return fmt::format("{:.4f} ({:.4f} to {:.4f})", peak.median_rad, peak.least_rad, peak.most_rad);
}

/// Rows of a matrix of counts: what was seen, then how many were predicted as each of the columns.
struct CountMatrix {
    std::vector<std::string> columns;
    std::vector<std::pair<std::string, std::vector<std::size_t>>> rows;
};
/// Of the classes; and, where not every class is known, of falling and standing. A column of failed solutions only if
/// there are some.
std::vector<CountMatrix> count_matrices(const Scores& scores);

/// The lines of both scores, in the order in which they are shown.
std::vector<ScoreLine> score_lines(const Scores& scores);

}  // namespace topple::hil::scores
