#include "hil/report/html_report.hpp"

#include <fmt/format.h>

#include "hil/report/assembly_report.hpp"
#include "hil/report/camera_report.hpp"
#include "hil/report/html.hpp"
#include "hil/report/iteration.hpp"
#include "hil/report/photo.hpp"
#include "hil/report/report_sections.hpp"
#include "hil/report/text_summary.hpp"

namespace topple::hil::report {
namespace {

constexpr std::string_view kPhotoNote = "photo";  // is shown, not named

std::string origin_line(const compare::RunOrigin& origin) {
    std::string text = origin.date.empty() ? "date not known" : origin.date;
    // The date ends with the offset already: the zone's name alone is new.
    if (!origin.time_zone.empty()) text += ", " + origin.time_zone.substr(0, origin.time_zone.find(" ("));
    if (!origin.operated_by.empty()) text += "; operator: " + origin.operated_by;
    if (!origin.computer.empty()) text += "; computer: " + origin.computer;
    return fmt::format("<p class=\"soft\">{}</p>", escape_html(text));
}

std::string page_head(const compare::Conclusion& c) {
    std::string text = fmt::format("<header><h1>{}</h1><p class=\"soft\">{} on {}</p>", escape_html(c.experiment.name),
                                   html_words(describe(c.experiment.excitation)), escape_html(c.origin.machine));
    text += origin_line(c.origin);
    if (c.origin.calibration)
        text += fmt::format("<p class=\"soft\">machine calibrated {}</p>", html_words(describe(*c.origin.calibration)));
    for (const auto& [key, value] : c.experiment.notes)
        if (key != kPhotoNote)
            text += fmt::format("<p class=\"soft\">{}: {}</p>", escape_html(key), escape_html(value));
    return text + "</header>\n";
}

std::string figure_section(const RunIdentity& identity, const std::vector<ReportFigure>& figures) {
    if (figures.empty())
        return html_section("Figures",
                            fmt::format("<p class=\"note\">There are no figures: {}</p>",
                                        escape_html(identity.figures_missing.empty() ? "none were asked for"
                                                                                     : identity.figures_missing)));
    std::string text;
    for (const ReportFigure& figure : figures)
        text += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", inline_svg(figure.svg, figure.alt),
                            escape_html(figure.caption));
    text +=
        "<p class=\"soft\">Data and gnuplot scripts of these figures are in the folder <code>figures</code> "
        "beside this page.</p>";
    return html_section("Figures", text);
}

}  // namespace

std::string html_report(const compare::Conclusion& c, const RunIdentity& identity, const ReportFiles& files,
                        const std::vector<ReportFigure>& figures) {
    std::string body = page_head(c) + verdict_banner(c) + key_numbers(c);
    body += assembly_section(c) + numbers_section(c, planned_motion_name(c));
    body += photo_figure(files.photo, "Photograph of the set-up of the test " + c.experiment.name,
                         "The set-up, as photographed by the laboratory.");
    body += figure_section(identity, figures) + camera_section(c) + outcome_section(c);
    body += attribution_section(c) + impacts_section(c) + models_section(c);
    body += table_section(c) + iteration_section(identity.learned_drive_json) + feasibility_section(c) +
            timing_section(c) + truth_section(identity) + identity_section(c, identity);
    body += html_section("Files as run", html_file("experiment.toml", files.experiment_toml) +
                                             html_file("machine.toml", files.machine_toml));
    return html_page("Topple: " + c.experiment.name, body);
}

}  // namespace topple::hil::report
