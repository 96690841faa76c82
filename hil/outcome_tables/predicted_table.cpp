#include "hil/outcome_tables/predicted_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>

#include "hil/experiment/axis_motions.hpp"
#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"
#include "hil/outcome_tables/exchanged_rows.hpp"
#include "hil/outcome_tables/refusal.hpp"
#include "hil/outcome_tables/specimen_outcome.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/plan/member_shares.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::outcome_tables {
namespace {

using experiment::Experiment;
using solver::Outcome;

/// The experiments of a table, each once, in the order of their first rows.
struct Different {
    std::vector<std::size_t> first_row;  ///< of each
    std::vector<std::size_t> of_row;     ///< of each row; without meaning for one that is refused
};

Different different_of(const OutcomeTable& table) {
    Different all;
    all.of_row.resize(table.rows.size());
    std::map<std::string_view, std::size_t> known;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (table.rows[i].refused) continue;
        const auto [at, is_new] = known.emplace(table.rows[i].experiment_text, all.first_row.size());
        if (is_new) all.first_row.push_back(i);
        all.of_row[i] = at->second;
    }
    return all;
}

void count_members(const plan::OutcomePrediction& from, RowPrediction& prediction) {
    prediction.members.assign(scores::kOutcomes, 0.0);
    prediction.member_count = from.members.size();
    for (const plan::EnsembleMember& member : from.members)
        if (member.outcome)
            prediction.members[solver::outcome_code(member.outcome)] += member.weight;
        else
            ++prediction.failed_members;
    prediction.weight = plan::weight_of(from.members);
    prediction.sound_weight = plan::sound_weight(from.members);
}

/// Throws InputError.
RowPrediction predict_text(const std::string& text, const Experiment& like, std::size_t members) {
    const Experiment one = experiment::read_experiment_text(text, like.source, {});
    if (one.specimens.size() != 1)
        throw files::InputError(
            fmt::format("specimen: {} specimens; a row has the outcome of one", one.specimens.size()));
    plan::PredictionRequest request;
    request.ensemble = plan::ensemble_size(one.uncertainty, members);
    request.threads = 1;  // the rows are shared out
    const plan::OutcomePrediction outcomes = plan::predict_outcomes_of(one, 0, request);
    RowPrediction prediction;
    prediction.model = outcomes.model;
    prediction.outcome = outcomes.outcome;
    prediction.is_stack = one.specimens.front().blocks.size() > 1;
    count_members(outcomes, prediction);
    const auto excitation = experiment::excitation_along(one, experiment::plane_angle_rad(one, 0));
    if (!excitation.planned_motion().empty())
        prediction.peak_velocity_m_s = excitation.planned_motion().extremes().velocity_peak_m_s;
    return prediction;
}

/// The column that a message is about, by the key that it names.
std::string column_in(const std::string& reason, const OutcomeTable& table) {
    const std::string at_key = reason.substr(0, reason.find_first_of(" :"));
    for (const Column& column : table.columns.all) {
        if (column.role == Role::key && (at_key == column.key || column.key.ends_with("." + at_key)))
            return column.heading;
        if (column.role == Role::motion && (at_key == "excitation.file" || at_key == "file")) return column.heading;
        if (column.role == Role::specimen && at_key.starts_with("specimen")) return column.heading;
    }
    return {};
}

RowPrediction predict_row(const OutcomeTable& table, std::size_t row, std::size_t members) {
    try {
        return predict_text(table.rows[row].experiment_text, table.experiment, members);
    } catch (const std::exception& error) {  // InputError, invalid_argument
        const std::string reason = plain_reason(error.what(), table.experiment.source.string());
        RowPrediction refused;
        refused.refused = Refusal{column_in(reason, table), reason};
        return refused;
    }
}

/// Every rank predicts some; then all know all.
std::vector<RowPrediction> predict_all(const OutcomeTable& table, const Different& different,
                                       const PredictionWork& work) {
    const std::unique_ptr<cluster::WorkShares> alone = work.shares ? nullptr : cluster::alone();
    cluster::WorkShares& shares = work.shares ? *work.shares : *alone;
    std::vector<RowPrediction> all(different.first_row.size());
    std::vector<char> is_mine(all.size(), 0);
    cluster::Sharing how;
    how.threads = work.threads;
    if (work.on_progress) how.on_progress = [&](std::size_t done) { work.on_progress(done, all.size()); };
    shares.share_out(all.size(), how, [&](std::size_t i) {
        all[i] = predict_row(table, different.first_row[i], work.members);
        is_mine[i] = 1;
    });
    if (work.on_progress && shares.is_first()) work.on_progress(all.size(), all.size());
    if (shares.count() > 1)
        for (const std::string& text : shares.from_all(exchanged_text(all, is_mine))) take_exchanged(text, all);
    return all;
}

scores::ScoredTest scored_test(const TableRow& row, const PredictedRow& predicted) {
    const RowPrediction& prediction = *predicted.prediction;
    scores::ScoredTest test;
    test.name = row.test;
    for (std::size_t code = 0; code < scores::kOutcomes; ++code)
        test.probability[code] = prediction.members[code] / prediction.weight;
    test.members = static_cast<std::size_t>(prediction.sound_weight);
    test.predicted = prediction.outcome;
    test.observed = outcome_of_specimen(*row.seen, prediction.is_stack);
    test.peak_velocity_m_s = predicted.peak_velocity_m_s;
    if (!test.observed.overturned) test.peak_rotation_rad = row.peak_rotation_rad;
    test.group = predicted.group;
    return test;
}

void refuse(PredictedRow& row, const Refusal& why) {
    row.state = RowState::unusable;
    row.prediction.reset();
    row.why = why.reason;
    row.column = why.column;
}

PredictedRow joined(const TableRow& row, const std::string& group, const RowPrediction& prediction,
                    const TableColumns& columns) {
    PredictedRow result;
    result.group = group;
    if (prediction.refused) {
        refuse(result, *prediction.refused);
        return result;
    }
    result.prediction = prediction;
    result.peak_velocity_m_s = row.peak_velocity_m_s;
    if (!result.peak_velocity_m_s && prediction.peak_velocity_m_s > 0.0)
        result.peak_velocity_m_s = prediction.peak_velocity_m_s;
    result.state = RowState::predicted;
    result.why = row.not_scored;
    if (!row.seen) return result;
    if (const std::string why = impossible_outcome(*row.seen, prediction.is_stack); !why.empty()) {
        const auto column = columns.find(Role::outcome);
        refuse(result, {column ? columns.all[*column].heading : "", why});
        return result;
    }
    if (prediction.failed_members == prediction.member_count) {
        result.why = "the solution of every member failed";
        return result;
    }
    result.state = RowState::scored;
    result.test = scored_test(row, result);
    return result;
}

/// Settings of the first row of each experiment, told apart where they read alike.
std::vector<std::string> group_names(const OutcomeTable& table, const Different& different) {
    std::vector<std::string> names;
    std::map<std::string, std::size_t> known;
    for (const std::size_t row : different.first_row) {
        std::string name = text::one_line(table.rows[row].settings);
        if (name.empty()) name = "as in the template";
        const std::size_t count = ++known[name];
        names.push_back(count == 1 ? name : fmt::format("{} ({})", name, count));
    }
    return names;
}

[[noreturn]] void refuse_table(const PredictedTable& result) {
    const auto& first = result.rows.front();
    throw files::InputError(fmt::format(
        "{}: none of its {} rows can be used; line {}{}: {}", result.table.file.string(), result.rows.size(),
        result.table.rows.front().line,
        first.column.empty() ? std::string() : fmt::format(", column {}", text::one_line(first.column)), first.why));
}

}  // namespace

std::string impossible_outcome(const scores::Observation& seen, bool is_stack) {
    if (!is_stack && seen.outcome == Outcome::partial_overturning)
        return "partial overturning of a single block: there is no such thing";
    return {};
}

scores::Observation outcome_of_specimen(scores::Observation seen, bool is_stack) {
    if (!is_stack && seen.outcome == Outcome::total_overturning) seen.outcome = Outcome::overturning;
    if (is_stack && seen.outcome == Outcome::overturning) seen.outcome.reset();
    return seen;
}

std::string_view name(RowState state) noexcept {
    switch (state) {
        case RowState::scored: return "scored";
        case RowState::predicted: return "predicted";
        case RowState::unusable: return "unusable";
    }
    return "";
}

std::size_t PredictedTable::count(RowState state) const noexcept {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [state](const PredictedRow& row) { return row.state == state; }));
}

PredictedTable predict_table(OutcomeTable table, const PredictionWork& work) {
    PredictedTable result;
    result.table = std::move(table);
    result.members = work.members;
    const Different different = different_of(result.table);
    const auto predictions = predict_all(result.table, different, work);
    const auto groups = group_names(result.table, different);
    std::vector<scores::ScoredTest> tests;
    for (std::size_t i = 0; i < result.table.rows.size(); ++i) {
        const TableRow& row = result.table.rows[i];
        PredictedRow predicted;
        if (row.refused)
            refuse(predicted, *row.refused);
        else
            predicted =
                joined(row, groups[different.of_row[i]], predictions[different.of_row[i]], result.table.columns);
        if (predicted.test) tests.push_back(*predicted.test);
        result.rows.push_back(std::move(predicted));
    }
    result.different = static_cast<std::size_t>(
        std::count_if(predictions.begin(), predictions.end(), [](const auto& one) { return !one.refused; }));
    if (result.count(RowState::unusable) == result.rows.size()) refuse_table(result);
    result.scores = scores::score(tests);
    result.repeats = scores::repeat_groups(tests);
    return result;
}

}  // namespace topple::hil::outcome_tables
