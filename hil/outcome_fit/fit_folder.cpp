// The folder of a fit: files, figures, page.
#include <fmt/format.h>

#include <filesystem>

#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/host/version.hpp"
#include "hil/outcome_fit/fit_output.hpp"
#include "hil/report/html.hpp"
#include "hil/scores/scores_output.hpp"

namespace topple::hil::outcome_fit {
namespace {

namespace fs = std::filesystem;
using report::escape_html;

constexpr const char* kReliabilityLearned = "reliability_learned.svg";
constexpr const char* kReliabilityPrior = "reliability_prior.svg";
constexpr std::size_t kFigureBytesMax = std::size_t{64} << 20;
constexpr std::size_t kUnlikelyShown = 50;

std::string marginals_name(const SpecimenFit& specimen) {
    return specimen.name.empty() ? "marginals.svg" : "marginals_" + specimen.name + ".svg";
}

std::string figure_html(const fs::path& file, const std::string& caption) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return {};
    return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                       report::inline_svg(files::read_text_file(file, kFigureBytesMax), caption), escape_html(caption));
}

std::string parameters_html(const SpecimenFit& fit) {
    report::HtmlTable table;
    table.header = {"departure", "prior, 5 to 95 %", "posterior, 5 to 95 %", "mean", "deviation", ""};
    for (const FittedParameter& one : fit.learned)
        table.rows.push_back(
            {escape_html(one.parameter.key + (one.parameter.unit.empty() ? "" : ", " + one.parameter.unit)),
             fmt::format("{:+.5g} to {:+.5g}", one.marginal.prior_low, one.marginal.prior_high),
             fmt::format("{:+.5g} to {:+.5g}", one.marginal.low, one.marginal.high),
             fmt::format("{:+.5g}", one.marginal.mean), fmt::format("{:.3g}", one.marginal.deviation),
             one.marginal.is_informative ? "" : "uninformative: keeps its prior"});
    return report::html_table(table);
}

std::string specimen_html(const SpecimenFit& fit, const fs::path& folder) {
    std::string body = fmt::format("<p>{} tests. {}</p>\n", fit.tests,
                                   fit.is_informative ? "" : "They teach nothing: the posterior is the prior.");
    body += parameters_html(fit);
    body += fmt::format("<p class=\"soft\">{}. Prior: {}.</p>\n", escape_html(convergence_words(fit.convergence)),
                        escape_html(fit.prior_source));
    body += fmt::format("<p>An experiment of this specimen uses {}.</p>\n",
                        escape_html(use_words(fit, learned_name(fit), members_name(fit))));
    body += figure_html(folder / marginals_name(fit), "Prior and posterior density of every learned parameter.");
    return report::html_section(fit.name.empty() ? "What was learned" : "What was learned of " + fit.name, body);
}

std::string difference_cell(const scores::MeanLoss& loss) {
    if (!loss.interval) return fmt::format("{:+.4f}", loss.value);
    return fmt::format("{:+.4f} ({:+.4f} to {:+.4f})", loss.value, loss.interval->low, loss.interval->high);
}

std::string held_out_html(const TableFit& fit, const fs::path& folder) {
    const auto &learned = fit.by_others.overturning, &prior = fit.by_prior.overturning;
    const auto cell = [](const scores::Reference& reference) {
        return reference.missing.empty() ? fmt::format("{:.4f}", reference.brier.value) : std::string("none");
    };
    std::string body = fmt::format("<p>{}.</p>\n", report::html_words(held_out_words(fit)));
    if (!fit.by_others.uninformative.empty())
        body += fmt::format("<p><b>Uninformative:</b> {}.</p>\n", report::html_words(fit.by_others.uninformative));
    report::HtmlTable table;
    table.header = {
        "overturning, mean loss",         "learned", "prior", "learned less prior (95 %)", "base rate of others",
        "logistic fit over peak velocity"};
    table.rows = {{"Brier score", fmt::format("{:.4f}", learned.brier.value), fmt::format("{:.4f}", prior.brier.value),
                   difference_cell(fit.gain.brier), cell(learned.base_rate), cell(learned.peak_velocity)},
                  {"log score", fmt::format("{:.4f}", learned.log_score.value),
                   fmt::format("{:.4f}", prior.log_score.value), difference_cell(fit.gain.log_score), "", ""}};
    body += report::html_table(table);
    body += fmt::format("<p>Against the prior: {}.</p>\n", scores::name(fit.gain.verdict));
    body += figure_html(folder / kReliabilityLearned,
                        "Held-out tests: share that overturned over the probability foretold from the other tests.");
    body += figure_html(folder / kReliabilityPrior, "The same tests by the prior.");
    return report::html_section("Held-out tests", body);
}

std::string unlikely_html(const TableFit& fit) {
    report::HtmlTable table;
    table.header = {"line", "test", "seen", "probability foretold from the others"};
    for (const UnlikelyTest& one : unlikely_tests(fit, kUnlikelyShown))
        table.rows.push_back(
            {fmt::format("{}", fit.tests.table.rows[one.test->row].line), escape_html(one.test->by_others.name),
             one.test->by_others.observed.overturned ? "overturned" : "stood", fmt::format("{:.3f}", one.probability)});
    if (table.rows.empty()) return {};
    return report::html_section("Tests that contradict the others", report::html_table(table));
}

std::string unused_html(const TableFit& fit) {
    report::HtmlTable table;
    table.header = {"line", "column", "reason"};
    for (const UnusedRow& one : fit.tests.unused)
        table.rows.push_back({fmt::format("{}", fit.tests.table.rows[one.row].line), escape_html(one.column),
                              report::html_words(one.reason)});
    if (table.rows.empty()) return {};
    return report::html_section("Rows that were not used", report::html_table(table));
}

std::string page(const TableFit& fit, const fs::path& folder) {
    const std::string& title = fit.tests.table.experiment.name;
    std::string body = fmt::format(
        "<h1>{}: what outcomes teach</h1>\n<p class=\"soft\">Table {}, SHA-256 {}: {} rows, {} tests of {} specimens. "
        "Topple {}.</p>\n",
        escape_html(title), escape_html(fit.tests.table.file.filename().string()), fit.table_sha256,
        fit.tests.table.rows.size(), fit.tests.count(), fit.specimens.size(), host::version());
    for (const std::string& remark : fit.remarks) body += fmt::format("<p>{}</p>\n", report::html_words(remark));
    for (const SpecimenFit& one : fit.specimens) body += specimen_html(one, folder);
    body += held_out_html(fit, folder) + unlikely_html(fit) + unused_html(fit);
    body += report::html_file("study.toml", fit.tests.table.experiment.text);
    return report::html_page(title, body);
}

std::string axis_label(const FitParameter& one) {
    return one.unit.empty() ? one.key + ", relative departure" : fmt::format("{}, added / {}", one.key, one.unit);
}

void draw_figures(const TableFit& fit, const fs::path& folder) {
    for (const SpecimenFit& one : fit.specimens) {
        std::vector<learn::MarginalPanel> panels;
        for (const FittedParameter& each : one.learned)
            panels.push_back(
                {axis_label(each.parameter), each.parameter.prior, &each.marginal, each.parameter.is_one_sided});
        learn::draw_marginals(panels, folder / marginals_name(one));
    }
    scores::draw_reliability(fit.by_others, folder / kReliabilityLearned);
    scores::draw_reliability(fit.by_prior, folder / kReliabilityPrior);
}

void write_template(const TableFit& fit, const fs::path& folder) {
    const experiment::PortableExperiment like = experiment::make_portable(fit.tests.table.experiment);
    files::write_durably(folder / "study.toml", like.text);
    for (const auto& file : like.files) {
        std::error_code ignored;
        fs::create_directories((folder / file.name).parent_path(), ignored);
        files::write_durably(folder / file.name, file.text);
    }
}

}  // namespace

std::string write_fit_folder(const TableFit& fit, const fs::path& folder, const std::string& created_utc) {
    write_template(fit, folder);
    files::write_durably(folder / "table.csv", fit.tests.table.text.text);
    files::write_durably(folder / "tests.csv", tests_csv(fit));
    for (const SpecimenFit& one : fit.specimens) {
        files::write_durably(folder / members_name(one), members_csv(one));
        files::write_durably(folder / learned_name(one), learned_toml(fit, one, members_name(one), created_utc));
    }
    files::write_durably(folder / "summary.json", fit_json(fit));
    std::string missing;
    try {
        draw_figures(fit, folder);
    } catch (const files::OutputError& error) {
        missing = error.what();
    }
    files::write_durably(folder / "index.html", page(fit, folder));
    return missing;
}

}  // namespace topple::hil::outcome_fit
