#include "hil/plan/assembly_prediction.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "hil/files/drawn_figure.hpp"
#include "hil/files/gnuplot.hpp"
#include "solver/assembly/assembly_run.hpp"

namespace topple::hil::plan {
namespace {

/// Time, walls, centroid and index; then two columns per block: its edges.
std::string figure_data(const solver::Assembly& assembly, const solver::AssemblyPrediction& prediction) {
    std::string text;
    const auto out = std::back_inserter(text);
    for (const solver::AssemblySample& sample : prediction.history) {
        const double left_m = sample.basin_displacement_m;
        fmt::format_to(out, "{:.6g},{:.7g},{:.7g},{:.7g},{:.7g}", sample.time_s, left_m,
                       left_m + assembly.basin_length_m, sample.centroid_m,
                       std::isnan(sample.inertia_index) ? 1.0 : sample.inertia_index);
        for (std::size_t i = 0; i < assembly.blocks.size(); ++i)
            fmt::format_to(out, ",{:.7g},{:.7g}", sample.position_m[i] - 0.5 * assembly.blocks[i].length_m,
                           sample.position_m[i] + 0.5 * assembly.blocks[i].length_m);
        text += '\n';
    }
    return text;
}

std::string figure_script(const std::string& title, std::size_t blocks, const std::filesystem::path& figure) {
    const bool has_index = blocks > 1;
    std::string script = files::figure_head(figure, 1000, has_index ? 900 : 600) +
                         fmt::format(
                             "set multiplot layout {},1 title {} noenhanced\nset grid\nset lmargin 12\n"
                             "set key outside right noenhanced\nset ylabel 'position  x / m'\n",
                             has_index ? 2 : 1, files::gnuplot_text(title));
    if (!has_index) script += "set xlabel 'time  t / s'\n";
    script +=
        "plot 'paths.dat' using 1:2 with lines lw 2 lc 'black' title 'walls', "
        "'' using 1:3 with lines lw 2 lc 'black' notitle, "
        "'' using 1:4 with lines dt 2 lc 'gray40' title 'centroid'";
    for (std::size_t i = 0; i < blocks; ++i)
        script += fmt::format(
            ", '' using 1:{} with lines lc {} title 'block {}', '' using 1:{} with lines lc {} dt 3 "
            "notitle",
            6 + 2 * i, i + 1, i, 7 + 2 * i, i + 1);
    if (has_index)
        script +=
            "\nset xlabel 'time  t / s'\nset ylabel 'index of inertia  I / I(0)'\n"
            "plot 'paths.dat' using 1:5 with lines lw 2 lc 'black' title 'index'";
    return script + "\nunset multiplot\n";
}

}  // namespace

solver::AssemblyPrediction predict_assembly(const experiment::Experiment& experiment, double history_step_s) {
    solver::AssemblyOptions options;
    options.gravity_m_s2 = experiment.gravity_m_s2;
    options.history_step_s = history_step_s;
    return solver::follow(experiment.assembly.value(), experiment.excitation.planned_motion(), options);
}

std::string assembly_text(const solver::Assembly& assembly, const solver::AssemblyPrediction& p) {
    double mass_kg = 0.0;
    for (const solver::AssemblyBlock& block : assembly.blocks) mass_kg += block.mass_kg;
    std::string text = fmt::format("  {} block{} in a basin of {:g} m, {:.5g} kg\n", assembly.blocks.size(),
                                   assembly.blocks.size() == 1 ? "" : "s", assembly.basin_length_m, mass_kg);
    if (p.status != solver::SolverStatus::ok)
        text += fmt::format("  followed      until {:.3f} s only: {}\n", p.end_time_s, solver::name(p.status));
    text += p.impacts_count == 0
                ? "  impacts       none\n"
                : fmt::format("  impacts       {}, the first at {:.4f} s\n", p.impacts_count, p.impacts.front().time_s);
    if (p.inertia_index_max)
        text += fmt::format("  inertia index at most {:.4f}, {:.4f} at {:.3f} s\n", *p.inertia_index_max,
                            *p.inertia_index_end, p.end_time_s);
    if (p.kinetic_energy_index_max)
        text += fmt::format("  energy index  at most {:.4f}\n", *p.kinetic_energy_index_max);
    text += fmt::format("  centroid      {:.5f} m at {:.3f} s\n", p.centroid_m, p.end_time_s);
    if (p.settled_time_s) text += fmt::format("  at rest       after {:.3f} s\n", *p.settled_time_s);
    return text;
}

std::string assembly_history_csv(const solver::AssemblyPrediction& prediction, std::size_t blocks) {
    std::string text = "time_s,basin_displacement_m";
    for (std::size_t i = 0; i < blocks; ++i) text += fmt::format(",position_{0}_m,velocity_{0}_m_s", i);
    text += ",centroid_m,inertia_index\n";
    for (const solver::AssemblySample& sample : prediction.history) {
        fmt::format_to(std::back_inserter(text), "{},{}", sample.time_s, sample.basin_displacement_m);
        for (std::size_t i = 0; i < blocks; ++i)
            fmt::format_to(std::back_inserter(text), ",{},{}", sample.position_m[i], sample.velocity_m_s[i]);
        fmt::format_to(std::back_inserter(text), ",{},", sample.centroid_m);
        if (!std::isnan(sample.inertia_index)) text += fmt::format("{}", sample.inertia_index);
        text += '\n';
    }
    return text;
}

void draw_assembly(const std::string& title, const solver::Assembly& assembly,
                   const solver::AssemblyPrediction& prediction, const std::filesystem::path& figure) {
    files::draw_figure(figure_script(title, assembly.blocks.size(), figure),
                       {{"paths.dat", figure_data(assembly, prediction)}}, figure);
}

}  // namespace topple::hil::plan
