// index.html of a study.
#include <fmt/format.h>

#include <cmath>

#include "hil/fragility/outputs.hpp"
#include "hil/host/version.hpp"
#include "hil/report/html.hpp"

namespace topple::hil::fragility {
namespace {

using report::escape_html;

constexpr std::size_t kMotionsShown = 300;  // motions.csv has all

std::string cell(double value) {
    if (std::isnan(value)) return "";
    return std::isinf(value) ? "fallen" : fmt::format("{:.4g}", value);
}

std::string head(const Evaluated& evaluated) {
    const Study& study = evaluated.study;
    std::string text = fmt::format("<h1>{}</h1>\n", escape_html(study.experiment.name));
    if (evaluated.is_partial())
        text += fmt::format("<p class=\"note\">Partial: {} of {} chunks are done; everything here is of these.</p>\n",
                            evaluated.chunks_done, study.chunk_count());
    text += fmt::format(
        "<p class=\"soft\">Fragility study: {} motions, {} values of {}, {} members, {} runs. Topple "
        "{}.</p>\n",
        study.motions.size(), study.value_count(), report::html_words(intensity_label(study.section)),
        study.member_count(), study.run_count(), host::version());
    return text;
}

std::string limits(const Evaluated& evaluated) {
    const std::vector<BeyondLimit> found = beyond_limit(evaluated.study);
    if (found.empty()) return {};
    report::HtmlTable table{{"motion", "least factor", "largest factor", "values beyond the limit"}, {}};
    for (std::size_t i = 0; i < found.size() && i < kMotionsShown; ++i)
        table.rows.push_back({escape_html(evaluated.study.motions[found[i].motion].listed.name),
                              fmt::format("{:.3g}", found[i].least), fmt::format("{:.3g}", found[i].largest),
                              fmt::format("{} of {}", found[i].values, evaluated.study.value_count())});
    return report::html_section(
        "Motions scaled beyond the limit",
        fmt::format("<p>{} of {} motions are scaled by more than {:g} at some values: a motion that was made so much "
                    "stronger may be unlike one that was recorded so strong.</p>\n",
                    found.size(), evaluated.study.motions.size(), evaluated.study.section.scale_limit) +
            report::html_table(table));
}

std::string fit_table(const SpecimenResult& result, const std::string& unit) {
    const LognormalFit& fit = result.fit;
    if (!is_informative(fit.state)) return fmt::format("<p class=\"note\">{}.</p>\n", escape_html(name(fit.state)));
    const auto band = [](const std::optional<Interval>& interval) {
        return interval ? fmt::format("{:.4g} to {:.4g}", interval->low, interval->high) : std::string("not known");
    };
    report::HtmlTable table{{"", "value", "5-95 % over resampled motions"}, {}};
    table.rows.push_back(
        {"median, " + report::html_words(unit), fmt::format("{:.4g}", fit.median), band(result.median_band)});
    table.rows.push_back({"dispersion", fmt::format("{:.3f}", fit.dispersion), band(result.dispersion_band)});
    std::string text = report::html_table(table);
    if (fit.state == FitState::step)
        text += fmt::format("<p>A step between {:.4g} and {:.4g}: closer values would show its dispersion.</p>\n",
                            fit.bracket_low, fit.bracket_high);
    if (fit.state == FitState::extrapolated)
        text += "<p class=\"note\">Extrapolated: the median is outside the values.</p>\n";
    if (const std::string words = resampling_words(result); !words.empty())
        text += fmt::format("<p>Bands: {}.</p>\n", words);
    if (fit.degrees > 0)
        text += fmt::format(
            "<p>Goodness of fit: deviance {:.1f} over {} degrees of freedom, probability {:.2g} if "
            "motions were independent at each value.</p>\n",
            fit.deviance, fit.degrees, fit.probability);
    return text;
}

std::string efficiency_table(const SpecimenResult& result, std::size_t motions) {
    std::string text = fmt::format("<p>{} of {} motions overturn half of the members within the values.</p>\n",
                                   result.crossed, motions);
    if (result.judged() > result.crossed)
        text += fmt::format(
            "<p>Of {} motions only a bound is known, which counts as such: {} overturn half above the last value, {} "
            "already at the first. The more there are, the more the dispersions rest on a lognormal.</p>\n",
            result.above + result.below, result.above, result.below);
    if (result.efficiency.empty()) return text;
    report::HtmlTable table{{"measure", "median at overturning", "dispersion"}, {}};
    for (const Efficiency& one : result.efficiency)
        table.rows.push_back({escape_html(one.measure.name),
                              fmt::format("{:.4g} ", one.median) + report::html_words(one.measure.unit),
                              fmt::format("{:.3f}", one.dispersion)});
    return text + report::html_table(table);
}

std::string factor_words(const Crossing& crossing) {
    switch (crossing.kind) {
        case Crossing::Kind::no_runs: return "";
        case Crossing::Kind::between: return fmt::format("{:.3g}", crossing.scale);
        case Crossing::Kind::above: return fmt::format("above {:.3g}", crossing.scale);
        case Crossing::Kind::below: return fmt::format("below {:.3g}", crossing.scale);
    }
    return "";
}

std::string motions_table(const Study& study, const SpecimenResult& result) {
    report::HtmlTable table{
        {"motion", "share of overturnings", "factor at overturning", "median without it", "dispersion without it"}, {}};
    for (std::size_t m = 0; m < study.motions.size() && m < kMotionsShown; ++m) {
        const MotionResult& one = result.motions[m];
        const bool has_without = is_informative(one.without.state);
        table.rows.push_back({escape_html(study.motions[m].listed.name), fmt::format("{:.1f} %", 100.0 * one.share),
                              factor_words(one.crossing), has_without ? fmt::format("{:.4g}", one.without.median) : "",
                              has_without ? fmt::format("{:.3f}", one.without.dispersion) : ""});
    }
    return report::html_table(table) + (study.motions.size() > kMotionsShown
                                            ? "<p class=\"soft\">The first ones; all are in motions.csv.</p>\n"
                                            : "");
}

std::string values_table(const SpecimenResult& result, bool has_peaks, const std::string& intensity) {
    report::HtmlTable table{
        {intensity, "runs", "overturned", "uplifted", "P fitted", "peak |θ|/α, 16 %", "50 %", "84 %"}, {}};
    for (const ValueResult& value : result.values)
        table.rows.push_back(
            {fmt::format("{:.4g}", value.intensity), fmt::format("{}", value.runs), fmt::format("{}", value.overturned),
             has_peaks ? fmt::format("{}", value.uplifted) : "",
             is_informative(result.fit.state) ? fmt::format("{:.3f}", result.fit.at(value.intensity)) : "",
             cell(value.peak_16), cell(value.peak_50), cell(value.peak_84)});
    return report::html_table(table);
}

}  // namespace

std::string page(const Evaluated& evaluated, const std::vector<std::string>& figures) {
    const Study& study = evaluated.study;
    std::string body = head(evaluated);
    for (std::size_t s = 0; s < evaluated.specimens.size(); ++s) {
        const SpecimenResult& result = evaluated.specimens[s];
        const std::string of = evaluated.specimens.size() > 1 ? fmt::format(" of specimen {}", s) : std::string();
        body += report::html_section(
            "Fragility" + of, fit_table(result, std::string(experiment::unit(study.section.measure))) + figures.at(s));
        body += report::html_section("Efficiency of the measures" + of, efficiency_table(result, study.motions.size()));
        body += report::html_section("Values" + of, values_table(result, study.section.has_peaks,
                                                                 report::html_words(intensity_label(study.section))));
        body += report::html_section("Motions" + of, motions_table(study, result));
    }
    body += limits(evaluated) + report::html_file("study.toml", study.experiment.text);
    return report::html_page("Topple: " + study.experiment.name, body);
}

}  // namespace topple::hil::fragility
