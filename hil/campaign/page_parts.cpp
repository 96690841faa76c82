#include "hil/campaign/page_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "hil/report/html.hpp"

namespace topple::hil::campaign {
namespace {

using report::escape_html;

constexpr std::pair<solver::Outcome, char> kLetters[] = {
    {solver::Outcome::translation, 'T'},
    {solver::Outcome::sliding, 'S'},
    {solver::Outcome::rocking, 'R'},
    {solver::Outcome::overturning, 'O'},
    {solver::Outcome::partial_overturning, 'P'},
    {solver::Outcome::total_overturning, 'D'},
};

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.5g}", *value) : "-"; }

std::string duration(double seconds) {
    if (seconds < 90.0) return fmt::format("{:.0f} s", seconds);
    if (seconds < 5400.0) return fmt::format("{:.0f} min", seconds / 60.0);
    return fmt::format("{:.1f} h", seconds / 3600.0);
}

std::string outcome_cell(const SpecimenRecord& specimen) {
    if (!specimen.outcome) return "-";
    std::string text(solver::name(*specimen.outcome));
    if (specimen.side) text += " " + std::string(solver::name(*specimen.side));
    return text;
}

std::string chance_cell(const SpecimenRecord& specimen) {
    const auto probability = scores::overturning_probability(specimen.probability);
    return probability ? fmt::format("{:.0f} %", 100.0 * *probability) : "-";
}

std::vector<std::string> test_row(const Published& campaign, const TestRecord& test, std::size_t specimen) {
    const SpecimenRecord& s = test.specimens[specimen];
    std::vector<std::string> row;
    const std::string run = run_name(test.number);
    row.push_back(test.status == TestStatus::refused ||
                          campaign.experiment.campaign->driven_by != experiment::CampaignDrive::table
                      ? fmt::format("{}", test.number)
                      : fmt::format("<a href=\"{}/report.html\">{}</a>", run, test.number));
    if (campaign.experiment.specimens.size() > 1) row.push_back(fmt::format("{}", specimen));
    for (const double value : test.setting) row.push_back(fmt::format("{:.6g}", value));
    row.push_back(escape_html(outcome_cell(s)));
    row.push_back(s.predicted ? std::string(solver::name(*s.predicted)) : "-");
    row.push_back(chance_cell(s));
    row.push_back(
        s.peak_rotation_rad && !solver::is_overturning(s.outcome) ? fmt::format("{:.4g}", *s.peak_rotation_rad) : "-");
    row.push_back(escape_html(s.verdict));
    row.push_back(escape_html(test.counts() ? test.why : std::string(name(test.status)) + ": " + test.reason));
    return row;
}

}  // namespace

std::string progress_words(const Published& campaign) {
    std::size_t count = 0, refused = 0;
    for (const TestRecord& test : campaign.tests) {
        count += test.counts() ? 1 : 0;
        refused += test.status == TestStatus::refused ? 1 : 0;
    }
    const std::size_t made = campaign.tests.size() - refused;
    std::string text = fmt::format("{} test{} made, {} count", made, made == 1 ? "" : "s", count);
    if (refused > 0)
        text += fmt::format("; {} refused, the table cannot make {}", refused, refused == 1 ? "it" : "them");
    if (campaign.expected_left == 0) return text + "; complete";
    text += fmt::format("; about {} more", campaign.expected_left);
    if (campaign.left_s > 0.0) text += ", about " + duration(campaign.left_s);
    return text;
}

std::string outcome_words(std::span<const TestRecord> tests, std::size_t specimen) {
    std::string text;
    for (const auto& [outcome, letter] : kLetters) {
        const auto count = std::count_if(tests.begin(), tests.end(), [&](const TestRecord& test) {
            return test.counts() && specimen < test.specimens.size() && test.specimens[specimen].outcome == outcome;
        });
        if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, letter);
    }
    return text.empty() ? "none yet" : text;
}

std::string page_head(const Published& campaign) {
    std::string text = fmt::format("<header><h1>{}</h1><p>{}</p>", escape_html(campaign.experiment.name),
                                   escape_html(progress_words(campaign)));
    for (std::size_t i = 0; i < campaign.experiment.specimens.size(); ++i)
        text += fmt::format("<p>outcomes{}: {}</p>",
                            campaign.experiment.specimens.size() > 1 ? fmt::format(" of specimen {}", i) : "",
                            outcome_words(campaign.tests, i));
    for (const auto& [key, value] : campaign.experiment.notes)
        text += fmt::format("<p class=\"soft\">{}: {}</p>", escape_html(key), escape_html(value));
    return text +
           "<p class=\"soft\">Every test: <a href=\"tests.csv\">tests.csv</a>; numbers of this page: "
           "<a href=\"summary.json\">summary.json</a>; what was asked for: "
           "<a href=\"study.toml\">study.toml</a>.</p></header>\n";
}

std::string boundaries_section(const Published& campaign, std::size_t specimen) {
    report::HtmlTable table;
    for (const RowBoundary& row : campaign.boundaries) {
        if (row.specimen != specimen) continue;
        std::string interval = row.low || row.high ? fmt::format("{} to {}", number(row.low), number(row.high)) : "-";
        table.rows.push_back({number(row.row), number(row.stands), number(row.overturns), number(row.estimate),
                              interval, row.is_done ? "yes" : "no"});
    }
    if (table.rows.empty()) return {};
    table.header = {
        escape_html(campaign.settings.keys()[0]), "stood at", "overturned at", "boundary", "90 % interval", "done"};
    return report::html_section(
        "Where overturning begins" +
            (campaign.experiment.specimens.size() > 1 ? fmt::format(", specimen {}", specimen) : std::string()),
        fmt::format("<p>Values of {}, counted from the start of the search.</p>{}",
                    escape_html(campaign.settings.keys()[1]), report::html_table(table)));
}

std::string tests_section(const Published& campaign) {
    report::HtmlTable table;
    table.header = {"test"};
    if (campaign.experiment.specimens.size() > 1) table.header.push_back("specimen");
    for (const std::string& key : campaign.settings.keys()) table.header.push_back(escape_html(key));
    for (const char* title : {"outcome", "predicted", "P(overturning)", "peak rotation / rad", "verdict",
                              "why, or why "
                              "not"})
        table.header.emplace_back(title);
    for (const TestRecord& test : campaign.tests)
        for (std::size_t i = 0; i < test.specimens.size(); ++i) table.rows.push_back(test_row(campaign, test, i));
    return report::html_section(
        "Tests",
        "<p>The verdict compares a test with its prediction from the motion that the platen made: it is "
        "uninformative where the prediction was too wide to be contradicted.</p>" +
            report::html_table(table));
}

}  // namespace topple::hil::campaign
