#include "hil/report/assembly_report.hpp"

#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "hil/files/gnuplot.hpp"
#include "hil/plan/json_or_null.hpp"
#include "hil/report/html.hpp"
#include "hil/report/report_sections.hpp"
#include "hil/report/text_summary.hpp"

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

/// What the camera saw, and what of the clock and the noise it takes to believe it.
Json measured_json(const compare::AssemblyConclusion& assembly) {
    if (!assembly.measured) return nullptr;
    const compare::BlockPositions& m = *assembly.measured;
    const compare::AssemblyReading& seen = assembly.comparison.measured;
    Json impacts = Json::array();
    for (const auto& time_s : seen.first_impact_s) impacts.push_back(or_null(time_s));
    const bool read = !seen.paths.empty();
    return {{"source", compare::name(assembly.source)},
            {"frames", m.time_s.size()},
            {"from_s", m.time_s.front()},
            {"to_s", m.time_s.back()},
            {"frame_s", m.frame_s},
            {"noise_m", m.noise_m},
            {"noise_from", m.noise_from},
            {"clock", m.clock},
            {"basin_residual_m", or_null(m.basin_residual_m)},
            {"first_impact_s", read ? impacts : Json(nullptr)},
            {"inertia_index_max", or_null(seen.inertia_index_max)},
            {"inertia_index_end", or_null(seen.inertia_index_end)},
            {"centroid_in_basin_m", read ? Json(seen.centroid_end_m) : Json(nullptr)}};
}

Json paths_json(const compare::AssemblyComparison& comparison) {
    if (comparison.paths.empty()) return nullptr;
    Json list = Json::array();
    for (const compare::PathDifference& path : comparison.paths)
        list.push_back({{"rms_ratio", path.rms_ratio},
                        {"peak_ratio", path.peak_ratio},
                        {"predictable_until_s", path.until_s},
                        {"rms_until_ratio", path.rms_until_ratio},
                        {"peak_until_ratio", path.peak_until_ratio}});
    return list;
}

std::string percent(double ratio) { return fmt::format("{:.2g} %", 100.0 * ratio); }

std::string paths_table(const compare::AssemblyComparison& comparison) {
    HtmlTable table{{"block", "predictable until", "rms until then", "largest until then", "rms of the whole record",
                     "largest of the whole record"},
                    {}};
    for (std::size_t i = 0; i < comparison.paths.size(); ++i) {
        const compare::PathDifference& path = comparison.paths[i];
        table.rows.push_back({fmt::format("{}", i), fmt::format("{:.2f} s", path.until_s),
                              percent(path.rms_until_ratio), percent(path.peak_until_ratio), percent(path.rms_ratio),
                              percent(path.peak_ratio)});
    }
    return "<h4>Measured less predicted paths, of the basin's free length</h4>" + html_table(table) +
           "<p class=\"soft\">Predictable: until the 5 to 95 % of the ensemble part by a tenth of the free length to "
           "each side. Later paths are no criterion.</p>";
}

std::string measured_part(const compare::AssemblyConclusion& assembly) {
    if (!assembly.measured) return "<p class=\"soft\">Nothing on the table measures these blocks.</p>";
    const compare::BlockPositions& m = *assembly.measured;
    std::string text = fmt::format(
        "<p class=\"soft\">Measured by a camera: {} frames at {:.4g} Hz, noise of a reading {:.2g} mm ({}), {}.</p>",
        m.time_s.size(), 1.0 / m.frame_s, 1e3 * m.noise_m, m.noise_from, escape_html(m.clock));
    text += "<h4>Prediction from the achieved motion</h4>" + criteria_table(assembly.comparison.agreement);
    if (!assembly.comparison.paths.empty()) text += paths_table(assembly.comparison);
    if (assembly.blind.agreement.verdict)
        text += "<h4>Prediction from the planned motion</h4>" + criteria_table(assembly.blind.agreement);
    return text;
}

}  // namespace

Json assembly_json(const compare::Conclusion& c) {
    if (!c.assembly) return nullptr;
    return {{"planned", numbers_json(c.assembly->planned)},
            {"achieved", c.assembly->achieved ? numbers_json(*c.assembly->achieved) : Json(nullptr)},
            {"measured", measured_json(*c.assembly)},
            {"paths", paths_json(c.assembly->comparison)}};
}

std::vector<std::string> assembly_lines(const compare::Conclusion& c) {
    if (!c.assembly || !c.assembly->measured) return {};
    const compare::BlockPositions& m = *c.assembly->measured;
    std::vector<std::string> lines{fmt::format("camera: {} frames at {:.4g} Hz, noise {:.2g} mm; {}", m.time_s.size(),
                                               1.0 / m.frame_s, 1e3 * m.noise_m, m.clock)};
    for (std::size_t i = 0; i < c.assembly->comparison.paths.size(); ++i) {
        const compare::PathDifference& path = c.assembly->comparison.paths[i];
        lines.push_back(fmt::format(
            "block {}: predictable until {:.2f} s; differs by {} rms, {} at most until then, {} and {} in all (of the "
            "free length)",
            i, path.until_s, percent(path.rms_until_ratio), percent(path.peak_until_ratio), percent(path.rms_ratio),
            percent(path.peak_ratio)));
    }
    const compare::Agreement& agreement = c.assembly->comparison.agreement;
    lines.push_back(describe(agreement));
    if (agreement.verdict) lines.insert(lines.end(), agreement.reasons.begin(), agreement.reasons.end());
    if (c.assembly->blind.agreement.verdict) lines.push_back("blind " + describe(c.assembly->blind.agreement));
    return lines;
}

std::string assembly_section(const compare::Conclusion& c) {
    if (!c.assembly) return {};
    const solver::AssemblyPrediction& planned = c.assembly->planned;
    const compare::AssemblyReading& seen = c.assembly->comparison.measured;
    HtmlTable table{{"", "planned motion", "achieved motion", "measured"}, {}};
    const auto row = [&](const char* name, const auto& of, const std::string& measured) {
        table.rows.push_back({name, of(planned), c.assembly->achieved ? of(*c.assembly->achieved) : "-", measured});
    };
    row(
        "impacts", [](const auto& p) { return fmt::format("{}", p.impacts_count); }, "-");
    row(
        "largest index of inertia", [](const auto& p) { return text_of(p.inertia_index_max); },
        text_of(seen.inertia_index_max));
    row(
        "index of inertia at the end", [](const auto& p) { return text_of(p.inertia_index_end); },
        text_of(seen.inertia_index_end));
    row(
        "largest kinetic-energy index", [](const auto& p) { return text_of(p.kinetic_energy_index_max); }, "-");
    row(
        "centroid at the end, from the left wall",
        [](const auto& p) { return fmt::format("{:.1f} mm", 1e3 * centroid_in_basin_m(p)); },
        seen.paths.empty() ? "-" : fmt::format("{:.1f} mm", 1e3 * seen.centroid_end_m));
    return html_section(c.assembly->measured ? "Blocks in the basin" : "Blocks in the basin, as predicted",
                        html_table(table) + measured_part(*c.assembly));
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

std::string measured_positions_data(const compare::Conclusion& c) {
    const compare::BlockPositions& m = c.assembly->measured.value();
    std::string text = "time_s";
    for (std::size_t i = 0; i < m.position_m.size(); ++i) text += fmt::format(",measured_position_{}_m", i);
    text += '\n';
    for (std::size_t frame = 0; frame < m.time_s.size(); ++frame) {
        fmt::format_to(std::back_inserter(text), "{:.6g}", m.time_s[frame]);
        for (const std::vector<double>& path : m.position_m)
            fmt::format_to(std::back_inserter(text), ",{:.7g}", path[frame]);
        text += '\n';
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
    const bool measured = c.assembly->measured.has_value();
    for (std::size_t i = 0; measured && i < blocks; ++i)
        script += fmt::format(", 'positions.csv' skip 1 using 1:{0} with lines lw 3 lc {1} dt (2,4) title '{2}'", 2 + i,
                              i + 1, i == 0 ? "centres, measured" : "");
    return {"assembly",
            measured
                ? "Edges of the blocks in the basin, predicted on the achieved motion, and their centres as measured."
                : "Edges of the blocks in the basin, predicted on the achieved motion.",
            fmt::format("Paths of {} blocks in their basin over time; {} impacts.", blocks,
                        c.assembly->achieved->impacts_count),
            "assembly", script + "\n"};
}

}  // namespace topple::hil::report
