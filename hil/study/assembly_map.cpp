#include "hil/study/assembly_map.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include "hil/files/errors.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/files/output_file.hpp"
#include "solver/assembly/assembly_run.hpp"

namespace topple::hil::study {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

AssemblyCell cell_of(const solver::AssemblyPrediction& p) {
    AssemblyCell cell;
    cell.inertia_index_max = p.inertia_index_max.value_or(kNaN);
    cell.inertia_index_end = p.inertia_index_end.value_or(kNaN);
    cell.centroid_end_m = p.centroid_m;
    cell.impacts = p.impacts_count;
    cell.solved = p.status == solver::SolverStatus::ok;
    return cell;
}

/// Empty for NaN: a single block has no index.
std::string number_or_nothing(double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); }

bool has_index(const AssemblyMap& map) {
    for (const AssemblyCell& cell : map.cells)
        if (cell.solved && !std::isnan(cell.inertia_index_max)) return true;
    return false;
}

std::string map_cells(const AssemblyMap& map, bool of_index) {
    std::string text;
    for (std::size_t i = 0; i < map.frequency.count; ++i) {
        for (std::size_t j = 0; j < map.amplitude.count; ++j) {
            const AssemblyCell& cell = map.cells[i * map.amplitude.count + j];
            const double value = of_index ? cell.inertia_index_max : static_cast<double>(cell.impacts);
            fmt::format_to(std::back_inserter(text), "{:g} {:g} {:g}\n", map.frequency.at(i), map.amplitude.at(j),
                           cell.solved ? value : kNaN);
        }
        text += '\n';
    }
    return text;
}

}  // namespace

AssemblyMap solve_assembly_map(const experiment::Experiment& experiment, const GridAxis& frequency,
                               const GridAxis& amplitude, const MapWork& how) {
    require_solvable(frequency, amplitude);
    const experiment::Excitation& excitation = experiment.excitation;
    const solver::BaseMotion& motion = excitation.planned_motion();
    if (motion.empty()) throw files::InputError("map: the experiment has no excitation to vary");
    AssemblyMap map{frequency, amplitude, excitation.angular_frequency_rad_s / (2.0 * std::numbers::pi),
                    0.0,       false,     {}};
    map.of_displacement = excitation.displacement_m != 0.0;
    map.amplitude_unit = map.of_displacement ? excitation.displacement_m : motion.extremes().acceleration_peak_m_s2;
    map.cells.resize(frequency.count * amplitude.count);
    solver::AssemblyOptions options;
    options.gravity_m_s2 = experiment.gravity_m_s2;
    options.impacts_max = 0;  // counted, not listed
    share_out(frequency.count, how, [&](std::size_t column) {
        const double f = frequency.at(column);
        for (std::size_t row = 0; row < amplitude.count; ++row) {
            // A displacement u0 at f times the frequency has f^2 times the acceleration.
            const double scale = amplitude.at(row) * (map.of_displacement ? f * f : 1.0);
            map.cells[column * amplitude.count + row] =
                cell_of(solver::follow(*experiment.assembly, motion.scaled(solver::MotionScale{scale, f}), options));
        }
    });
    return map;
}

std::string assembly_map_csv(const AssemblyMap& map) {
    std::string text =
        fmt::format("frequency_ratio,amplitude_ratio,frequency_hz,{},index_max,index_end,centroid_end,impacts\n",
                    map.of_displacement ? "displacement_m" : "acceleration_m_s2");
    for (std::size_t i = 0; i < map.frequency.count; ++i)
        for (std::size_t j = 0; j < map.amplitude.count; ++j) {
            const AssemblyCell& cell = map.cells[i * map.amplitude.count + j];
            if (!cell.solved) continue;
            const double f = map.frequency.at(i), a = map.amplitude.at(j);
            fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{}\n", f, a,
                           map.frequency_hz > 0.0 ? fmt::format("{}", f * map.frequency_hz) : "",
                           a * map.amplitude_unit, number_or_nothing(cell.inertia_index_max),
                           number_or_nothing(cell.inertia_index_end), cell.centroid_end_m, cell.impacts);
        }
    return text;
}

void draw_assembly_map(const AssemblyMap& map, const std::string& title, const std::filesystem::path& folder) {
    const bool of_index = has_index(map);
    const std::string plot = "plot 'map_cells.dat' using 1:2:3 with image notitle\n";
    std::string script = fmt::format(
        "# Map of an assembly by topple; restyle and run: gnuplot map.gp\nset title {} noenhanced\n"
        "set xlabel 'frequency / that of the file'\nset ylabel 'amplitude / that of the file'\nset cblabel '{}'\n"
        "set tics out nomirror\nset palette defined (0 '#440154', 1 '#31688e', 2 '#35b779', 3 '#fde725')\n",
        files::gnuplot_text(title), of_index ? "largest index of inertia" : "impacts");
    script += files::gnuplot_head("pngcairo size 1000,760", "map.png") + plot +
              files::gnuplot_head("svg size 1000,760 enhanced background 'white'", "map.svg") + plot;
    files::write_file(folder / "map_cells.dat", map_cells(map, of_index), files::Overwrite::allow);
    files::write_file(folder / "map.gp", script, files::Overwrite::allow);
    files::run_gnuplot(folder / "map.gp");
}

}  // namespace topple::hil::study
