#include "hil/report/assembly_report.hpp"

#include <fmt/format.h>

#include <iterator>

#include "hil/files/gnuplot.hpp"
#include "hil/plan/json_or_null.hpp"
#include "hil/report/html.hpp"

namespace topple::hil::report {
namespace {

using plan::or_null;
using Json = nlohmann::ordered_json;

Json numbers_json(const solver::AssemblyPrediction& p) {
    return {{"impacts_count", p.impacts_count},
            {"inertia_index_max", or_null(p.inertia_index_max)},
            {"inertia_index_end", or_null(p.inertia_index_end)},
            {"kinetic_energy_index_max", or_null(p.kinetic_energy_index_max)},
            {"centroid_m", p.centroid_m},
            {"end_time_s", p.end_time_s},
            {"status", solver::name(p.status)}};
}

std::string text_of(const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : "-"; }

/// Of the centroid in its basin: the base's own place is another question.
double centroid_in_basin_m(const solver::AssemblyPrediction& p) {
    return p.history.empty() ? p.centroid_m : p.history.back().centroid_m - p.history.back().basin_displacement_m;
}

}  // namespace

Json assembly_json(const compare::Conclusion& c) {
    if (!c.assembly) return nullptr;
    return {{"planned", numbers_json(c.assembly->planned)},
            {"achieved", c.assembly->achieved ? numbers_json(*c.assembly->achieved) : Json(nullptr)}};
}

std::string assembly_section(const compare::Conclusion& c) {
    if (!c.assembly) return {};
    const solver::AssemblyPrediction& planned = c.assembly->planned;
    HtmlTable table{{"", "planned motion", "achieved motion"}, {}};
    const auto row = [&](const char* name, const auto& of) {
        table.rows.push_back({name, of(planned), c.assembly->achieved ? of(*c.assembly->achieved) : "-"});
    };
    row("impacts", [](const auto& p) { return fmt::format("{}", p.impacts_count); });
    row("largest index of inertia", [](const auto& p) { return text_of(p.inertia_index_max); });
    row("index of inertia at the end", [](const auto& p) { return text_of(p.inertia_index_end); });
    row("largest kinetic-energy index", [](const auto& p) { return text_of(p.kinetic_energy_index_max); });
    row("centroid at the end, from the left wall",
        [](const auto& p) { return fmt::format("{:.1f} mm", 1e3 * centroid_in_basin_m(p)); });
    return html_section("Blocks in the basin, as predicted",
                        html_table(table) + "<p class=\"soft\">Nothing on the table measures these blocks.</p>");
}

std::string assembly_figure_data(const compare::Conclusion& c) {
    const solver::Assembly& assembly = c.experiment.assembly.value();
    std::string text = "time_s";
    for (std::size_t i = 0; i < assembly.blocks.size(); ++i)
        text += fmt::format(",left_edge_{0}_m,right_edge_{0}_m", i);
    text += ",inertia_index\n";
    for (const solver::AssemblySample& sample : c.assembly->achieved->history) {
        text += fmt::format("{:.6g}", sample.time_s);
        for (std::size_t i = 0; i < assembly.blocks.size(); ++i) {
            const double place_m = sample.position_m[i] - sample.basin_displacement_m;
            const double half_m = 0.5 * assembly.blocks[i].length_m;
            fmt::format_to(std::back_inserter(text), ",{:.7g},{:.7g}", place_m - half_m, place_m + half_m);
        }
        fmt::format_to(std::back_inserter(text), ",{:.7g}\n", sample.inertia_index);
    }
    return text;
}

Figure assembly_figure(const compare::Conclusion& c) {
    const std::size_t blocks = c.experiment.assembly->blocks.size();
    std::string script = fmt::format(
        "# Run in this folder: gnuplot assembly.gp\n{}set datafile separator ','\nset datafile missing 'nan'\nset "
        "grid\n"
        "set key outside right\nset lmargin 13\nset xlabel 'time  t / s'\nset ylabel 'place in the basin / m'\n"
        "set yrange [0:{:.6g}]\nplot ",
        files::gnuplot_head(
            "svg size 900,500 dynamic enhanced font 'Helvetica,13' background '#ffffff' name 'assembly'",
            "assembly.svg"),
        c.experiment.assembly->basin_length_m);
    for (std::size_t i = 0; i < blocks; ++i)
        script += fmt::format(
            "{0}'assembly.csv' skip 1 using 1:{1} with lines lc {3} title 'block {4}', "
            "'assembly.csv' skip 1 using 1:{2} with lines lc {3} dt 3 notitle",
            i == 0 ? "" : ", ", 2 + 2 * i, 3 + 2 * i, i + 1, i);
    return {"assembly", "Edges of the blocks in the basin, predicted on the achieved motion.",
            fmt::format("Paths of {} blocks in their basin over time; {} impacts.", blocks,
                        c.assembly->achieved->impacts_count),
            "assembly", script + "\n"};
}

}  // namespace topple::hil::report
