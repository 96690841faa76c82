#include "hil/report/html.hpp"
#include "hil/scores/scores_output.hpp"
#include "hil/scores/scores_words.hpp"

namespace topple::hil::scores {
namespace {

using report::escape_html;
using report::HtmlTable;

std::string matrix_html(const CountMatrix& matrix) {
    HtmlTable table;
    table.header = {"seen \\ predicted"};
    for (const std::string& name : matrix.columns) table.header.push_back(escape_html(name));
    for (std::size_t row = 0; row < matrix.rows.size(); ++row) {
        std::vector<std::string> cells{escape_html(matrix.rows[row].first)};
        for (std::size_t column = 0; column < matrix.columns.size(); ++column) {
            const std::string count = fmt::format("{}", matrix.rows[row].second[column]);
            cells.push_back(row == column ? "<span class=\"yes\">" + count + "</span>" : count);
        }
        table.rows.push_back(std::move(cells));
    }
    return report::html_table(table);
}

}  // namespace

std::string scores_html(const Scores& scores) {
    const OverturningScores& fall = scores.overturning;
    std::string body =
        fmt::format("<p>{} tests, {} different; {} overturned.</p>\n", fall.tests, fall.groups, fall.overturned);
    if (!scores.uninformative.empty())
        body += fmt::format("<div class=\"verdict\"><strong>uninformative</strong>{}</div>\n",
                            escape_html(scores.uninformative));
    HtmlTable table;
    table.header = {"score", "value", ""};
    for (const ScoreLine& line : score_lines(scores))
        table.rows.push_back({escape_html(line.what), escape_html(line.value), report::html_words(line.note)});
    body += report::html_table(table);
    for (const std::string& remark : scores.remarks) body += "<p class=\"note\">" + escape_html(remark) + "</p>\n";
    std::string matrices;
    for (const CountMatrix& matrix : count_matrices(scores)) matrices += matrix_html(matrix);
    if (!matrices.empty()) matrices = report::html_section("Seen and predicted", matrices);
    return matrices + report::html_section("Scores", body);
}

std::string repeats_html(std::span<const RepeatGroup> groups) {
    if (groups.empty()) return {};
    const PairCount pairs = pairs_alike(groups);
    HtmlTable table;
    table.header = {"same settings", "tests", "outcomes", "overturned", "predicted", "peak, rad: median (range)"};
    for (const RepeatGroup& group : groups)
        table.rows.push_back(
            {escape_html(group.group), fmt::format("{}", group.tests), escape_html(outcomes_words(group)),
             escape_html(share_words(group.overturned)),
             group.predicted_overturning ? fmt::format("{:.2f}", *group.predicted_overturning) : std::string(),
             escape_html(peak_words(group.peak))});
    return report::html_section("Repeats", fmt::format("<p>{} of {} pairs of repeats ended alike.</p>\n{}", pairs.alike,
                                                       pairs.pairs, report::html_table(table)));
}

}  // namespace topple::hil::scores
