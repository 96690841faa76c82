#include "hil/report/report_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/plan/three_dimensional.hpp"
#include "hil/report/html.hpp"
#include "hil/report/text_summary.hpp"
#include "hil/text/rounded.hpp"

namespace topple::hil::report {
namespace {

using compare::Agreement;
using compare::AgreementVerdict;
using compare::Conclusion;
using compare::Criterion;
using compare::SpecimenConclusion;
using Row = std::vector<std::string>;

std::string card(const std::string& number, const std::string& what) {
    return fmt::format("<div class=\"card\"><b>{}</b><span>{}</span></div>", number, what);
}

std::string seconds(const std::optional<double>& time) { return time ? fmt::format("{:.3f} s", *time) : "&ndash;"; }

std::string peak_list(const std::vector<double>& peak_rad) {
    std::string text;
    for (double peak : peak_rad) text += fmt::format("{}{:.4f}", text.empty() ? "" : ", ", peak);
    return text.empty() ? "&ndash;" : text + " rad";
}

Row prediction_row(const std::string& heading, const solver::Prediction& p,
                   const std::vector<plan::EnsembleMember>& members) {
    return {heading,
            members.empty() ? "&ndash;" : plan::probability_text(members),
            p.outcome ? std::string(name(*p.outcome)) : "none: " + plan::failure_text(p),
            p.direction ? std::string(name(*p.direction)) : "&ndash;",
            peak_list(p.peak_rotation_rad),
            std::to_string(p.impacts.size()) + (p.impacts_truncated ? "+" : ""),
            seconds(p.overturn_time_s ? p.overturn_time_s : p.settled_time_s)};
}

Row measurement_row(const compare::SpecimenMeasurement& m) {
    std::vector<double> peak_rad;
    for (const compare::BlockMeasurement& block : m.blocks) peak_rad.push_back(block.peak_rotation_rad);
    return {fmt::format("measured <span class=\"soft\">({})</span>", name(m.source)),
            "",
            m.outcome ? std::string(name(*m.outcome)) : "nothing measured",
            m.side ? std::string(name(*m.side)) : "&ndash;",
            peak_list(peak_rad),
            "&ndash;",
            seconds(m.overturn_time_s)};
}

std::string number(const std::optional<double>& value, const std::string& unit) {
    return value ? fmt::format("{:.4g}{}{}", *value, unit.empty() ? "" : " ", html_words(unit)) : "&ndash;";
}

std::string predicted_cell(const Criterion& c) {
    if (!c.median) return escape_html(c.predicted_word);
    const std::string of = c.unit.empty() ? std::string() : fmt::format(" {}", html_words(c.unit));
    return fmt::format("{:.4g} <span class=\"soft\">({:.4g} to {:.4g})</span>{}", *c.median, *c.low, *c.high, of);
}

std::string probability_cell(const Criterion& c, const Agreement& a) {
    const std::string text =
        c.probability > 0.0 ? fmt::format("{:.3g} %", 100.0 * c.probability) : fmt::format("none of {}", a.members);
    return c.probability <= compare::kInconsistentBelow ? "<span class=\"no\">" + text + "</span>" : text;
}

std::string comparison_remarks(const SpecimenConclusion& s) {
    std::string text;
    const Agreement& a = s.agreement;
    if (a.rotation_rms_rad)
        text += fmt::format(
            "<p class=\"soft\">Difference between the whole rotation histories: {:.4f} rad rms{}. The later part "
            "of a "
            "rocking history is sensitive to small differences and is not a criterion.</p>",
            *a.rotation_rms_rad,
            a.rotation_rms_ratio ? fmt::format(", {:.0f} % of the predicted rms", 100.0 * *a.rotation_rms_ratio) : "");
    if (a.restitution_measured)
        text += fmt::format(
            "<p class=\"soft\">Apparent restitution from {} free excursions: {:.5f} &plusmn; {:.5f} "
            "(standard error).</p>",
            a.restitution_measured->lobe_count, a.restitution_measured->ratio, a.restitution_measured->standard_error);
    return text;
}

std::string_view verdict_headline(AgreementVerdict verdict) {
    switch (verdict) {
        case AgreementVerdict::consistent: return "The measurement is consistent with the prediction";
        case AgreementVerdict::inconsistent: return "The measurement is inconsistent with the prediction";
        case AgreementVerdict::uninformative: return "Uninformative: the prediction is too wide to be tested";
    }
    return "";
}

std::string verdict_word(const Agreement& agreement) {
    return agreement.verdict ? std::string(name(*agreement.verdict)) : std::string("not judged");
}

/// What was predicted, twice, and what was measured: the first thing to read.
std::string leading_table(const SpecimenConclusion& s, const Conclusion& c) {
    const auto predicted = [](const solver::Prediction& p, const std::vector<plan::EnsembleMember>& members) {
        return "<b>" + html_words(members.empty() ? describe(p) : plan::probability_text(members)) + "</b>";
    };
    HtmlTable table;
    table.rows.push_back({"predicted: " + planned_motion_name(c), predicted(s.planned.prediction, s.planned_members),
                          verdict_word(s.blind)});
    if (!c.motion.empty())
        table.rows.push_back({"predicted: achieved motion", predicted(s.achieved.prediction, s.achieved_members),
                              verdict_word(s.agreement)});
    table.rows.push_back({"measured", "<b>" + html_words(describe(s.measured, c.camera.has_value())) + "</b>", ""});
    return html_table(table, "lead");
}

/// When the blind prediction was made is to be read beside its probabilities.
std::string blind_record_line(const Conclusion& c) {
    const compare::BlindRecord& record = c.blind_record;
    if (c.imported || record.statement.empty()) return {};
    return fmt::format("<p class=\"{}\">Blind record: {}.</p>", record.proven ? "soft" : "no",
                       html_words(record.statement));
}

}  // namespace

std::string criteria_table(const Agreement& a) {
    HtmlTable table{.header = {"criterion", "predicted: median (5 to 95 %)", "measured",
                               "probability of such a surprise", "width of the prediction", "counts for agreement"},
                    .rows = {}};
    for (const Criterion& c : a.criteria)
        table.rows.push_back({escape_html(c.name), predicted_cell(c),
                              c.measured ? number(c.measured, c.unit) : escape_html(c.measured_word),
                              probability_cell(c, a),
                              fmt::format("&plusmn; {:.2g} %{}", 100.0 * c.spread,
                                          c.cap ? fmt::format(" (limit {:.2g} %)", 100.0 * *c.cap) : ""),
                              c.counts ? "yes" : "no"});
    return "<p>" + escape_html(describe(a)) + "</p>" + html_table(table);
}

std::string verdict_banner(const Conclusion& c) {
    const auto verdict = compare::overall_verdict(c);
    std::string kind = verdict ? std::string(name(*verdict)) : "open", headline;
    if (c.status != compare::RunStatus::completed) {
        kind = "failed";
        headline = fmt::format("Test not completed: {}", escape_html(c.status_reason));
    } else if (!verdict) {
        headline = c.assembly && c.assembly->measured ? "Blocks in a basin: measured, not judged"
                   : c.assembly                       ? "Blocks in a basin: the motion and the prediction, not judged"
                   : c.specimens.empty()              ? "No specimen: the motion only"
                                                      : "Not judged";
    } else {
        headline = verdict_headline(*verdict);
    }
    if (const std::string but = compare::caveat(c); !but.empty()) headline += escape_html(", " + but);
    std::string text = fmt::format("<div class=\"verdict {}\"><strong>{}</strong>", kind, headline);
    for (std::size_t i = 0; i < c.specimens.size(); ++i) {
        if (c.specimens.size() > 1) text += fmt::format("<p><b>Specimen {}</b></p>", i);
        text += leading_table(c.specimens[i], c);
        if (const std::string note = not_plane_note(c, i); !note.empty())
            text += "<p class=\"note\">" + html_words("Note: " + note) + "</p>";
        text += "<p>" + html_words(c.specimens[i].why.text) + "</p>";
        std::string reasons;
        for (const std::string& reason : c.specimens[i].agreement.reasons)
            reasons += "<li>" + html_words(reason) + "</li>";
        for (const std::string& contradiction : c.specimens[i].impacts.contradictions)
            reasons += "<li><span class=\"no\">Contradiction:</span> " + html_words(contradiction) + "</li>";
        if (!reasons.empty()) text += "<ul>" + reasons + "</ul>";
    }
    if (c.assembly && c.assembly->measured) {
        std::string reasons;
        for (const std::string& reason : c.assembly->comparison.agreement.reasons)
            reasons += "<li>" + html_words(reason) + "</li>";
        if (!reasons.empty()) text += "<ul>" + reasons + "</ul>";
    }
    text += blind_record_line(c) + "</div>\n";
    for (const std::string& remark : c.remarks) text += "<p class=\"note\">" + html_words(remark) + "</p>\n";
    return text;
}

std::string key_numbers(const Conclusion& c) {
    std::string text = "<div class=\"cards\">";
    for (std::size_t i = 0; i < c.specimens.size() && i < 2; ++i) {
        const SpecimenConclusion& s = c.specimens[i];
        if (!s.measured.has_rotation()) continue;
        double peak_rad = 0.0;
        for (const compare::BlockMeasurement& block : s.measured.blocks)
            peak_rad = std::max(peak_rad, block.peak_rotation_rad);
        text += card(fmt::format("{:.4g} rad", peak_rad), c.specimens.size() == 1
                                                              ? "measured peak rotation"
                                                              : fmt::format("measured peak rotation, specimen {}", i));
    }
    if (c.identified.amplitude_m_s2)
        text += card(fmt::format("{:.4g} m/s&sup2;", *c.identified.amplitude_m_s2), "achieved amplitude");
    if (c.identified.frequency_hz)
        text += card(fmt::format("{:.4g} Hz", *c.identified.frequency_hz), "achieved frequency");
    if (c.tracking.evaluated) {
        text += card(fmt::format("{:.3f} mm", 1e3 * c.tracking.displacement_peak_error_m), "largest tracking error");
        text += card(fmt::format("{:.1f} ms", text::rounded(1e3 * c.tracking.lag_s, 1)), "lag of the table");
    }
    if (c.timing.cycles > 0) text += card(std::to_string(c.timing.cycles_missed), "missed host cycles");
    return text + "</div>\n";
}

/// How far the plane's predictions are those of this body.
std::string space_paragraph(const Conclusion& c, std::size_t specimen) {
    const std::optional<plan::SpaceAccount> account = plan::space_account(c.experiment, specimen);
    if (!account)
        return fmt::format("<p class=\"soft\">How far it is a plane body is not known: {}.</p>\n",
                           plan::space_missing(c.experiment, specimen));
    std::string text = account->verdict == plan::SpaceVerdict::planar      ? "The body moves as a plane body"
                       : account->verdict == plan::SpaceVerdict::with_care ? "The body is a plane body with care"
                                                                           : "The body is <b>not a plane body</b>";
    for (std::size_t i = 0; i < account->reasons.size(); ++i)
        text += (i == 0 ? ": " : "; ") + escape_html(account->reasons[i]);
    return fmt::format("<p class=\"soft\">{}. Read {}.</p>\n", text, escape_html(account->reading));
}

std::string outcome_section(const Conclusion& c) {
    std::string text;
    for (std::size_t i = 0; i < c.specimens.size(); ++i) {
        const SpecimenConclusion& s = c.specimens[i];
        text += fmt::format("<h3>{}{}</h3>\n", c.specimens.size() == 1 ? "" : fmt::format("Specimen {}: ", i),
                            escape_html(plan::describe(s.specimen)));
        text += space_paragraph(c, i);
        HtmlTable table{.header = {"", "probability", "outcome as described", "side", "peak rotation", "impacts",
                                   "overturned / at rest at"},
                        .rows = {}};
        table.rows.push_back(
            prediction_row("predicted, " + planned_motion_name(c), s.planned.prediction, s.planned_members));
        if (!c.motion.empty())
            table.rows.push_back(
                prediction_row("predicted, achieved motion", s.achieved.prediction, s.achieved_members));
        table.rows.push_back(measurement_row(s.measured));
        text += html_table(table);
        if (!s.agreement.verdict) continue;
        text += "<h4>Prediction from the achieved motion</h4>" + criteria_table(s.agreement) + comparison_remarks(s);
        if (s.blind.verdict)
            text += fmt::format("<h4>Prediction from the {}</h4>", planned_motion_name(c)) + criteria_table(s.blind);
    }
    if (c.assembly && c.assembly->measured) return {};  // stands in its own section
    if (text.empty())
        text = c.assembly ? "<p>The blocks in the basin are not measured: nothing is judged.</p>"
                          : "<p>Nothing stands on the table.</p>";
    return html_section("Outcome and agreement", text);
}

}  // namespace topple::hil::report
