// The folder of a predicted table: files, figures, page.
#include <fmt/format.h>

#include <filesystem>

#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/output_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/host/version.hpp"
#include "hil/outcome_tables/table_output.hpp"
#include "hil/report/html.hpp"
#include "hil/scores/scores_output.hpp"

namespace topple::hil::outcome_tables {
namespace {

namespace fs = std::filesystem;
using report::escape_html;

constexpr const char* kReliability = "reliability.svg";
constexpr const char* kVelocity = "peak_velocity.svg";
constexpr std::size_t kFigureBytesMax = std::size_t{64} << 20;
constexpr std::size_t kTestsShown = 2000;  // on the page; tests.csv has all

std::string figure_html(const fs::path& file, const char* caption) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return {};
    return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                       report::inline_svg(files::read_text_file(file, kFigureBytesMax), caption), escape_html(caption));
}

std::string refused_html(const PredictedTable& table, RowState state, const char* heading) {
    if (table.count(state) == 0) return {};
    report::HtmlTable rows;
    rows.header = {"line", "test", "column", "reason"};
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        if (table.rows[i].state == state)
            rows.rows.push_back({fmt::format("{}", table.table.rows[i].line), escape_html(table.table.rows[i].test),
                                 escape_html(table.rows[i].column), report::html_words(table.rows[i].why)});
    return report::html_section(heading, report::html_table(rows));
}

std::vector<std::string> test_cells(const TableRow& row, const PredictedRow& predicted) {
    const auto& seen = predicted.test->observed;
    const double p = scores::overturning_probability(*predicted.test).value_or(0.0);
    const bool is_right =
        predicted.test->predicted && solver::is_overturning(predicted.test->predicted) == seen.overturned;
    return {escape_html(row.test),
            escape_html(row.settings),
            escape_html(seen.outcome      ? solver::name(seen.outcome)
                        : seen.overturned ? "overturned"
                                          : "stood"),
            fmt::format("<span class=\"{}\">{}</span>", is_right ? "yes" : "no",
                        escape_html(solver::name(predicted.test->predicted))),
            fmt::format("{:.3f}", p),
            predicted.peak_velocity_m_s ? fmt::format("{:.4g}", *predicted.peak_velocity_m_s) : ""};
}

std::string tests_html(const PredictedTable& table) {
    report::HtmlTable tests;
    tests.header = {"test", "settings", "seen", "predicted", "P(overturning)", "peak velocity, m/s"};
    for (std::size_t i = 0; i < table.rows.size() && tests.rows.size() < kTestsShown; ++i)
        if (table.rows[i].test) tests.rows.push_back(test_cells(table.table.rows[i], table.rows[i]));
    const std::string all = table.count(RowState::scored) > kTestsShown
                                ? "<p class=\"soft\">The first ones; all are in tests.csv.</p>\n"
                                : "";
    return report::html_section("Tests", all + report::html_table(tests));
}

std::string page(const PredictedTable& table, const fs::path& folder) {
    const std::string& title = table.table.experiment.name;
    std::string body = fmt::format(
        "<h1>{}</h1>\n<p class=\"soft\">Outcome table {}: {} rows, {} scored, {} predicted only, {} unusable; {} "
        "different experiments, {} members each. Topple {}.</p>\n",
        escape_html(title), escape_html(table.table.file.filename().string()), table.rows.size(),
        table.count(RowState::scored), table.count(RowState::predicted), table.count(RowState::unusable),
        table.different, table.members, host::version());
    body += scores::scores_html(table.scores);
    body += figure_html(folder / kReliability, "Share of tests that overturned over the predicted probability.");
    body +=
        figure_html(folder / kVelocity,
                    "Tests over the peak velocity of the base, with a logistic fit and the predicted probabilities.");
    body += scores::repeats_html(table.repeats);
    body += refused_html(table, RowState::unusable, "Unusable rows");
    body += refused_html(table, RowState::predicted, "Rows that are not scored");
    body += tests_html(table) + report::html_file("study.toml", table.table.experiment.text);
    return report::html_page(title, body);
}

}  // namespace

std::string write_table_folder(const PredictedTable& table, const fs::path& folder) {
    const experiment::PortableExperiment like = experiment::make_portable(table.table.experiment);
    files::write_durably(folder / "study.toml", like.text);
    for (const auto& file : like.files) {
        std::error_code ignored;
        fs::create_directories((folder / file.name).parent_path(), ignored);
        files::write_durably(folder / file.name, file.text);
    }
    files::write_durably(folder / "table.csv", table.table.text.text);
    files::write_durably(folder / "tests.csv", tests_csv(table));
    files::write_durably(folder / "summary.json", table_json(table));
    std::string missing;
    try {
        scores::draw_reliability(table.scores, folder / kReliability);
        scores::draw_velocity_fit(table.scores, folder / kVelocity);
    } catch (const files::OutputError& error) {
        missing = error.what();
    }
    files::write_durably(folder / "index.html", page(table, folder));
    return missing;
}

}  // namespace topple::hil::outcome_tables
