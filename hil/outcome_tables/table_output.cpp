#include "hil/outcome_tables/table_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hil/files/csv_cells.hpp"
#include "hil/files/sha256.hpp"
#include "hil/host/version.hpp"
#include "hil/scores/scores_output.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::outcome_tables {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kListedMost = 20;  // rows of a kind on the terminal

/// "line 12 (B6L 3)".
std::string place_of(const TableRow& row) {
    const std::string line = fmt::format("line {}", row.line);
    return row.test == line ? line : fmt::format("{} ({})", line, text::one_line(row.test));
}

std::string list_of(const PredictedTable& table, RowState state, const char* heading) {
    std::string text;
    std::size_t count = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const PredictedRow& row = table.rows[i];
        if (row.state != state || ++count > kListedMost) continue;
        text += fmt::format("  {}{}: {}\n", place_of(table.table.rows[i]),
                            row.column.empty() ? "" : ", column " + text::one_line(row.column), row.why);
    }
    if (count == 0) return {};
    if (count > kListedMost) text += fmt::format("  and {} more, in tests.csv\n", count - kListedMost);
    return fmt::format("{}: {}\n{}", heading, count, text);
}

/// Columns of the results, behind the table's own.
constexpr const char* kResultColumns[] = {"line",
                                          "state",
                                          "group",
                                          "observed",
                                          "observed_overturned",
                                          "predicted",
                                          "p_translation",
                                          "p_sliding",
                                          "p_rocking",
                                          "p_overturning",
                                          "p_partial_overturning",
                                          "p_total_overturning",
                                          "members",
                                          "failed_members",
                                          "planned_peak_velocity_m_s",
                                          "model",
                                          "column",
                                          "reason"};

bool is_result_column(const std::string& heading) {
    return std::any_of(std::begin(kResultColumns), std::end(kResultColumns),
                       [&](const char* name) { return heading == name; });
}

std::string results_of(const TableRow& row, const PredictedRow& predicted) {
    std::string text = fmt::format(",{},{},{}", row.line, name(predicted.state), files::csv_cell(predicted.group));
    const auto seen = predicted.test ? std::optional(predicted.test->observed) : row.seen;
    text += fmt::format(",{},{}", seen && seen->outcome ? solver::name(seen->outcome) : "",
                        seen ? (seen->overturned ? "1" : "0") : "");
    if (!predicted.prediction) {
        text += std::string(11, ',');
    } else {
        const RowPrediction& one = *predicted.prediction;
        text += fmt::format(",{}", solver::name(one.outcome));
        for (std::size_t code = 0; code < scores::kOutcomes; ++code)
            text += fmt::format(",{}", one.members[code] / one.weight);
        text += fmt::format(",{},{},{:.6g},{}", one.member_count, one.failed_members, one.peak_velocity_m_s, one.model);
    }
    return text +
           fmt::format(",{},{}\n", files::csv_cell(predicted.column), files::csv_cell(text::one_line(predicted.why)));
}

Json rows_json(const PredictedTable& table, RowState state) {
    Json list = Json::array();
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (table.rows[i].state != state) continue;
        list.push_back({{"line", table.table.rows[i].line},
                        {"test", table.table.rows[i].test},
                        {"column", table.rows[i].column.empty() ? Json(nullptr) : Json(table.rows[i].column)},
                        {"reason", table.rows[i].why}});
    }
    return list;
}

std::string joined_names(const std::vector<std::string>& names) {
    return text::one_line(fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace

std::string table_text(const PredictedTable& table) {
    const TableColumns& columns = table.table.columns;
    std::string text = fmt::format(
        "{}: {} rows: {} scored, {} predicted only, {} unusable; {} different experiments of {} members each\n",
        text::one_line(table.table.file.string()), table.rows.size(), table.count(RowState::scored),
        table.count(RowState::predicted), table.count(RowState::unusable), table.different, table.members);
    if (columns.decimal == DecimalSign::comma) text += "note: a comma is its decimal sign\n";
    const auto ignored = columns.headings(Role::ignored), campaign = columns.headings(Role::of_campaign);
    if (!ignored.empty())
        text += fmt::format("ignored columns (no key of an experiment file): {}\n", joined_names(ignored));
    if (!campaign.empty()) text += fmt::format("passed over (results of a campaign): {}\n", joined_names(campaign));
    text += scores::scores_text(table.scores);
    text += scores::repeats_text(table.repeats);
    text += list_of(table, RowState::predicted, "not scored");
    text += list_of(table, RowState::unusable, "unusable");
    return text;
}

std::string table_json(const PredictedTable& table) {
    const experiment::Experiment& like = table.table.experiment;
    const Json document = {{"schema", "topple.outcome_table/1"},
                           {"version", host::version()},
                           {"table", table.table.file.string()},
                           {"table_sha256", files::sha256_hex(table.table.text.text)},
                           {"experiment", like.source.string()},
                           {"experiment_sha256", files::sha256_hex(like.text)},
                           {"model", like.model},
                           {"members", table.members},
                           {"seed", like.uncertainty.seed},
                           {"rows",
                            {{"total", table.rows.size()},
                             {"scored", table.count(RowState::scored)},
                             {"predicted_only", table.count(RowState::predicted)},
                             {"unusable", table.count(RowState::unusable)},
                             {"different", table.different}}},
                           {"scores", scores::scores_json(table.scores)},
                           {"repeats", scores::repeats_json(table.repeats)},
                           {"not_scored", rows_json(table, RowState::predicted)},
                           {"unusable", rows_json(table, RowState::unusable)},
                           {"ignored_columns", table.table.columns.headings(Role::ignored)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string tests_csv(const PredictedTable& table) {
    std::string text;
    for (const Column& column : table.table.columns.all)
        text += files::csv_cell(is_result_column(column.heading) ? "table_" + column.heading : column.heading) + ",";
    text += fmt::format("{}\n", fmt::join(kResultColumns, ","));
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const TableRow& row = table.table.rows[i];
        for (std::size_t k = 0; k < table.table.columns.all.size(); ++k)
            text.append(k > 0 ? "," : "").append(files::csv_cell(row.cells[k]));
        text += results_of(row, table.rows[i]);
    }
    return text;
}

}  // namespace topple::hil::outcome_tables
