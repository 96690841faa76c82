#include <algorithm>
#include <cmath>
#include <iterator>

#include "hil/scores/scores_output.hpp"
#include "hil/scores/scores_words.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::scores {
namespace {

std::string matrix_text(const CountMatrix& matrix) {
    constexpr std::size_t kWidthLeast = 12;
    std::size_t width = kWidthLeast;
    for (const std::string& name : matrix.columns) width = std::max(width, name.size() + 2);
    for (const auto& [name, counts] : matrix.rows) width = std::max(width, name.size() + 2);
    std::string text = fmt::format("confusion matrix (rows: seen, columns: predicted)\n{:{}}", "", width + 2);
    for (const std::string& name : matrix.columns) text += fmt::format("{:>{}}", name, width);
    for (const auto& [name, counts] : matrix.rows) {
        text += fmt::format("\n  {:{}}", name, width);
        for (const std::size_t count : counts) text += fmt::format("{:>{}}", count, width);
    }
    return text + "\n";
}

std::string reliability_text(const std::vector<ReliabilityBin>& bins) {
    if (bins.empty()) return {};
    std::string text = "reliability: predicted probability of overturning, and how many overturned\n";
    for (const ReliabilityBin& bin : bins)
        text += fmt::format("  {:.2f} to {:.2f}, mean {:.3f}: {}\n", bin.low, bin.high, bin.mean_probability,
                            share_words(bin.overturned));
    return text;
}

constexpr std::size_t kGroupsShown = 20;

bool ended_differently(const RepeatGroup& group) noexcept {
    return (group.overturned.count > 0 && group.overturned.count < group.overturned.total) ||
           (group.most_common.total > 0 && group.most_common.count < group.most_common.total);
}

}  // namespace

std::vector<CountMatrix> count_matrices(const Scores& scores) {
    std::vector<CountMatrix> all;
    const auto add = [&](CountMatrix matrix, const std::vector<std::size_t>& failed) {
        const bool any = std::any_of(failed.begin(), failed.end(), [](std::size_t count) { return count > 0; });
        if (any) matrix.columns.push_back("failed");
        for (std::size_t row = 0; any && row < failed.size(); ++row) matrix.rows[row].second.push_back(failed[row]);
        all.push_back(std::move(matrix));
    };
    const auto& falls = scores.overturning.counts;
    if (scores.confusion.class_unknown > 0)
        add({{"stood", "overturned"},
             {{"stood", {falls[0][0], falls[0][1]}}, {"overturned", {falls[1][0], falls[1][1]}}}},
            {falls[0][2], falls[1][2]});
    if (scores.confusion.classes.empty()) return all;
    CountMatrix matrix;
    for (std::size_t i = 0; i < scores.confusion.classes.size(); ++i) {
        matrix.columns.emplace_back(solver::name(scores.confusion.classes[i]));
        matrix.rows.emplace_back(matrix.columns.back(), scores.confusion.counts[i]);
    }
    add(std::move(matrix), scores.confusion.failed);
    return all;
}

std::vector<ScoreLine> score_lines(const Scores& scores) {
    const OverturningScores& fall = scores.overturning;
    std::vector<ScoreLine> lines;
    if (scores.classes.tests > 0)
        lines.push_back({"accuracy, outcome", share_words(scores.classes.right), "of the specimen as described"});
    if (fall.tests == 0) return lines;
    lines.push_back({"accuracy, fall or stand", share_words(fall.right), "of the specimen as described"});
    lines.push_back({"Brier score of overturning", loss_words(fall.brier),
                     fmt::format("{:.3f} would be expected if the probabilities were right", fall.expected_brier)});
    lines.push_back(reference_line("  base rate of the other tests", fall.base_rate));
    ScoreLine velocity = reference_line("  logistic fit over peak velocity", fall.peak_velocity);
    if (fall.velocity_fit && fall.velocity_fit->slope > 0.0)
        velocity.note += fmt::format("; half overturn at {:.3g} m/s", std::exp(*fall.velocity_fit->half()));
    lines.push_back(velocity);
    lines.push_back(
        {"log score of overturning", loss_words(fall.log_score), "mean of -ln of what happened; 0 is best"});
    if (scores.classes.tests > 0) {
        lines.push_back({"Brier score of all classes", loss_words(scores.classes.brier), "0 is best, 2 is worst"});
        lines.push_back(reference_line("  base rates of the other tests", scores.classes.base_rate));
        lines.push_back({"log score of all classes", loss_words(scores.classes.log_score), ""});
    }
    return lines;
}

std::string scores_text(const Scores& scores) {
    const OverturningScores& fall = scores.overturning;
    std::string text =
        fmt::format("scores of {} tests, {} different; {} overturned\n", fall.tests, fall.groups, fall.overturned);
    if (!scores.uninformative.empty()) text += fmt::format("uninformative: {}\n", scores.uninformative);
    for (const CountMatrix& matrix : count_matrices(scores)) text += matrix_text(matrix);
    const std::vector<ScoreLine> lines = score_lines(scores);
    std::size_t width = 0;
    for (const ScoreLine& line : lines) width = std::max(width, line.what.size());
    for (const ScoreLine& line : lines)
        text += fmt::format("{:{}}  {}{}{}\n", line.what, width, line.value, line.note.empty() ? "" : "; ", line.note);
    text += reliability_text(fall.reliability);
    for (const std::string& remark : scores.remarks) text += "note: " + remark + "\n";
    return text;
}

std::string repeats_text(std::span<const RepeatGroup> groups) {
    if (groups.empty()) return {};
    const PairCount pairs = pairs_alike(groups);
    std::string text =
        fmt::format("repeats of the same test: {} group{}", groups.size(), groups.size() == 1 ? "" : "s");
    if (pairs.pairs > 0) text += fmt::format("; {} of {} pairs of repeats ended alike", pairs.alike, pairs.pairs);
    text += "\n";
    std::size_t alike = 0, shown = 0;
    for (const RepeatGroup& group : groups) {
        if (!ended_differently(group)) ++alike;
        if (!ended_differently(group) || ++shown > kGroupsShown) continue;
        text += fmt::format("  {}: {} tests: {}", text::one_line(group.group), group.tests, outcomes_words(group));
        text += fmt::format("; overturned {}", share_words(group.overturned));
        if (group.predicted_overturning) text += fmt::format(", predicted {:.2f}", *group.predicted_overturning);
        if (group.peak.tests > 0) text += fmt::format("; peak {} rad", peak_words(group.peak));
        text += "\n";
    }
    if (shown > kGroupsShown) text += fmt::format("  and {} more that ended differently\n", shown - kGroupsShown);
    if (alike > 0) text += fmt::format("  {} group{} whose repeats all ended alike\n", alike, alike == 1 ? "" : "s");
    return text;
}

}  // namespace topple::hil::scores
