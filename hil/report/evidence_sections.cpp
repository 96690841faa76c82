#include <fmt/format.h>

#include <cmath>

#include "hil/report/html.hpp"
#include "hil/report/report_sections.hpp"

namespace topple::hil::report {
namespace {

using compare::Conclusion;
using compare::SpecimenConclusion;

constexpr const char* kNothing = "&ndash;";
constexpr std::size_t kTimesShown = 12;

std::string number(const std::optional<double>& value, const std::string& unit) {
    return value ? fmt::format("{:.4g} {}", *value, unit) : kNothing;
}

std::string spread_cell(const std::vector<compare::NumberSpread>& spread, std::size_t q, const std::string& unit) {
    if (q >= spread.size() || !spread[q].median) return kNothing;
    return fmt::format("{:.4g} <span class=\"soft\">({:.4g} to {:.4g})</span> {}", *spread[q].median, *spread[q].low,
                       *spread[q].high, unit);
}

std::string numbers_of(const SpecimenConclusion& s, const std::string& planned_name) {
    const compare::NumbersTable& numbers = s.numbers;
    HtmlTable table{
        .header = {"median (5 to 95 %)", "predicted, " + planned_name, "predicted, achieved motion", "measured"},
        .rows = {}};
    for (std::size_t q = 0; q < numbers.names.size(); ++q) {
        const std::string& unit = numbers.names[q].unit;
        const std::string planned = spread_cell(numbers.planned, q, unit),
                          achieved = spread_cell(numbers.achieved, q, unit),
                          measured = number(q < numbers.measured.size() ? numbers.measured[q] : std::nullopt, unit);
        if (planned == kNothing && achieved == kNothing && measured == kNothing) continue;
        table.rows.push_back({escape_html(numbers.names[q].name), planned, achieved, measured});
    }
    if (table.rows.empty()) return {};
    return html_table(table) +
           (numbers.outcome
                ? fmt::format("<p class=\"soft\">Predicted numbers are those of the members of the ensemble "
                              "with the outcome {}.</p>",
                              name(*numbers.outcome))
                : "");
}

std::string heading(const Conclusion& c, std::size_t i) {
    return c.specimens.size() == 1 ? "" : fmt::format("<h3>Specimen {}</h3>\n", i);
}

/// One section over all specimens; `body` gives the HTML of one.
template <typename Body>
std::string per_specimen(const Conclusion& c, const char* title, const Body& body) {
    std::string text;
    for (std::size_t i = 0; i < c.specimens.size(); ++i) text += heading(c, i) + body(c.specimens[i]);
    return text.empty() ? text : html_section(title, text);
}

std::string attribution_of(const SpecimenConclusion& s) {
    const compare::Attribution& a = s.attribution;
    if (!a.evaluated()) return "<p>Not attributed: " + html_words(a.why_not) + ".</p>";
    HtmlTable table{.header = {"this part alone on the planned motion", "outcome and probability", "matters"},
                    .rows = {}};
    for (const compare::PartEffect& part : a.parts)
        table.rows.push_back({escape_html(compare::size_text(part)), escape_html(compare::effect_text(part, a.planned)),
                              part.matters() ? "<span class=\"no\">yes</span>" : "no"});
    const compare::PartEffect* decisive = a.decisive();
    return html_table(table) + (decisive ? fmt::format("<p>The part that changes most: {}.</p>", name(decisive->part))
                                         : "<p>No part of the tracking error alone changes the outcome, or any "
                                           "probability by 5 % or more.</p>");
}

std::string times(const std::vector<double>& time_s, double accuracy_s) {
    if (time_s.empty()) return "none";
    std::string text;
    for (std::size_t i = 0; i < std::min(time_s.size(), kTimesShown); ++i)
        text += fmt::format("{}{:.3f}", i == 0 ? "" : ", ", time_s[i]);
    if (time_s.size() > kTimesShown) text += fmt::format(" and {} more", time_s.size() - kTimesShown);
    return text + fmt::format(" s (&plusmn; {:.0f} ms)", 1e3 * accuracy_s);
}

std::string impacts_of(const SpecimenConclusion& s, const Conclusion& c) {
    const compare::ImpactEvidence& e = s.impacts;
    HtmlTable table{.header = {"sensor", "impacts", "suggests"}, .rows = {}};
    if (!e.not_visible.empty())
        table.rows.push_back({"accelerometer of the platen", "not visible: " + html_words(e.not_visible), kNothing});
    else
        table.rows.push_back({"accelerometer of the platen",
                              fmt::format("{}: {}", e.platen_s.size(), times(e.platen_s, c.platen_impacts.sample_s)),
                              fmt::format("{}{}", e.inferred ? fmt::format("{}: ", name(*e.inferred)) : std::string(),
                                          html_words(e.inference))});
    table.rows.push_back({"rotation sensor (zero crossings)",
                          !e.has_rotation ? "there is none"
                          : s.specimen.blocks.size() > 1
                              ? "not evaluated for stacks"
                              : fmt::format("{}: {}", e.rotation_s.size(), times(e.rotation_s, c.motion.grid.step_s)),
                          kNothing});
    table.rows.push_back({fmt::format("measured outcome ({})", name(s.measured.source)), kNothing,
                          s.measured.outcome ? std::string(name(*s.measured.outcome)) : "nothing measured"});
    std::string text = html_table(table);
    if (e.not_visible.empty())
        text += html_words(fmt::format(
            "Spikes above {:.2g} m/s2 can be told from noise ({:.2g} m/s2 while the platen is driven); at most {:.2g} "
            "m/s2 is expected.",
            c.platen_impacts.threshold_m_s2, c.platen_impacts.driven_threshold_m_s2, e.expected_m_s2));
    if (e.not_visible.empty() && e.has_rotation && s.specimen.blocks.size() == 1)
        text += fmt::format(" {} of {} spikes have a zero crossing beside them.", e.matched, e.platen_s.size());
    for (const std::string& contradiction : e.contradictions)
        text += "<p class=\"note\"><span class=\"no\">Contradiction:</span> " + html_words(contradiction) + "</p>";
    return text;
}

std::string times_or_nothing(const std::vector<double>& time_s) {
    std::string text;
    for (const double time : time_s) text += fmt::format("{}{:.3f}", text.empty() ? "" : ", ", time);
    return text.empty() ? kNothing : text + " s";
}

std::string models_of(const SpecimenConclusion& s) {
    HtmlTable table{.header = {"model", "outcome", "peak rotation", "first impacts", "overturned / at rest at"},
                    .rows = {}};
    for (const compare::ModelPrediction& m : s.models.models) {
        std::string peaks;
        for (const double peak : m.peak_rotation_rad)
            if (std::isfinite(peak)) peaks += fmt::format("{}{:.4f}", peaks.empty() ? "" : ", ", peak);
        const std::optional<double> end_s = m.overturn_time_s ? m.overturn_time_s : m.settled_time_s;
        table.rows.push_back({fmt::format("{} <span class=\"soft\">{}{}</span>", m.name, escape_html(m.what),
                                          m.note.empty() ? "" : "; " + escape_html(m.note)),
                              m.outcome ? fmt::format("{}{}", name(*m.outcome),
                                                      m.direction ? fmt::format(" to the {}", name(*m.direction)) : "")
                                        : "failed",
                              peaks.empty() ? kNothing : peaks + " rad", times_or_nothing(m.impacts_s),
                              end_s ? fmt::format("{:.2f} s", *end_s) : kNothing});
    }
    std::string text = s.models.models.size() < 2 ? std::string("<p>No other model covers this specimen.</p>")
                       : s.models.disagree()
                           ? fmt::format(
                                 "<p class=\"note\"><strong>The models disagree on the outcome</strong>: {}. A miss "
                                 "may be the model's.</p>",
                                 escape_html(s.models.outcomes_text()))
                           : "<p>The models agree on the outcome.</p>";
    return text + html_table(table);
}

}  // namespace

std::string numbers_section(const Conclusion& c, const std::string& planned_name) {
    return per_specimen(c, "Predicted and measured", [&](const auto& s) { return numbers_of(s, planned_name); });
}

std::string attribution_section(const Conclusion& c) {
    return per_specimen(c, "Which part of the tracking error matters", attribution_of);
}

std::string impacts_section(const Conclusion& c) {
    if (c.motion.empty()) return {};
    return per_specimen(c, "Impacts found by the sensors", [&](const auto& s) { return impacts_of(s, c); });
}

std::string models_section(const Conclusion& c) {
    return per_specimen(
        c, c.motion.empty() ? "Other models on the planned motion" : "Other models on the achieved motion", models_of);
}

}  // namespace topple::hil::report
