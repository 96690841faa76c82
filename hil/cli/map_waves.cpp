#include "hil/cli/map_waves.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <span>
#include <stdexcept>

#include "firmware_iface/fault.hpp"
#include "hil/cli/map_places.hpp"
#include "hil/cli/map_reach.hpp"
#include "hil/cli/signals.hpp"
#include "hil/experiment/axis_motions.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/study/map_files.hpp"
#include "hil/study/map_summary.hpp"
#include "hil/study/pulse_map.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using experiment::Experiment;
using files::InputError;
using files::Overwrite;
using study::map_wave;
using study::MapKind;
using study::parse_axis;

constexpr double kTolerance = 1e-6;

/// What one map is of.
struct MapCase {
    solver::Specimen specimen;
    std::string label;
    double sense = 1.0;  ///< -1: its plane is turned by pi, it feels the motion mirrored
};

struct SolvedMap {
    study::MapGrid grid;
    std::vector<study::MapTransition> boundaries;
};

/// Every specimen of the file, from every initial rotation that is asked for.
std::vector<MapCase> map_cases(const Experiment& experiment, const std::vector<double>& initial_rotations_rad) {
    std::vector<MapCase> cases;
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) {
        const solver::Specimen& specimen = experiment.specimens[i];
        const double sense = experiment::sense_in_plane(experiment, i, "a map");
        if (initial_rotations_rad.empty()) cases.push_back({specimen, study::specimen_label(specimen), sense});
        for (const double rotation_rad : initial_rotations_rad) {
            if (specimen.blocks.size() != 1)
                throw InputError("--initial-rotation is for single blocks; the file has a stack");
            MapCase one{specimen, fmt::format("{} from {:g} rad", study::specimen_label(specimen), rotation_rad),
                        sense};
            one.specimen.initial_rotation_rad = {rotation_rad};
            cases.push_back(std::move(one));
        }
    }
    return cases;
}

/// What is to be solved: the axes, and the waves that they scale.
struct MapTask {
    MapKind kind = MapKind::wave;
    study::GridAxis frequency, amplitude;
    std::vector<solver::StabilityMap> waves;  ///< one per case; empty for a double pulse
    solver::SolverOptions equations;          ///< gravity and model
};

void require_model(const std::string& name, solver::Model model, const std::vector<MapCase>& cases) {
    try {
        for (const MapCase& one : cases) solver::model_for(one.specimen, model);
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("model \"{}\": {}", name, error.what()));
    }
}

MapTask map_task(const WaveMapRequest& request, const Experiment& experiment, const std::vector<MapCase>& cases) {
    MapTask task;
    const std::string model = request.model.empty() ? experiment.model : request.model;
    task.equations = plan::solver_options(experiment, model);
    require_model(model, task.equations.model, cases);
    if (!request.velocity.empty() || !request.gap.empty()) {
        const study::PulseAxes axes = study::pulse_axes(experiment, request.velocity, request.gap);
        task.kind = MapKind::double_pulse;
        task.frequency = axes.velocity;
        task.amplitude = axes.gap;
    } else {
        task.frequency = parse_axis("--frequency-ratio", request.frequency, kFrequencyRatioLeast);
        task.amplitude = parse_axis("--amplitude-ratio", request.amplitude, 0.0);
        const solver::MapWave wave = map_wave(experiment);
        const auto axis = request.by_angle ? solver::AmplitudeAxis::angle : solver::AmplitudeAxis::tangent;
        for (const MapCase& one : cases) {
            solver::MapWave felt = wave;
            if (one.sense != 1.0) felt.motion = felt.motion.scaled(one.sense);
            task.waves.emplace_back(one.specimen, felt, axis, task.equations);
        }
    }
    study::require_solvable(task.frequency, task.amplitude);
    return task;
}

/// Where the experiment as it is written stands on the axes of its map.
std::array<double, 2> own_point(const MapTask& task, const Experiment& experiment) {
    if (task.waves.empty())
        return {experiment.excitation.double_pulse->peak_velocity_m_s, experiment.excitation.double_pulse->gap_m};
    const solver::MapPoint own = study::own_wave(task.waves[0], map_wave(experiment));
    return {own.frequency_ratio, own.amplitude_ratio};
}

void draw(const std::vector<SolvedMap>& maps, const std::vector<MapCase>& cases, const Experiment& experiment,
          const MapTask& task, bool by_angle, const std::filesystem::path& folder) {
    study::MapCaption caption{fmt::format("{}: {}", experiment.name, cases[0].label),
                              "frequency  ω / p",
                              by_angle ? "amplitude  a_0 / (α g)" : "amplitude  a_0 / (g tan α)",
                              own_point(task, experiment),
                              {}};
    if (task.kind == MapKind::double_pulse) {
        caption.x_axis = "peak velocity / (m/s)";
        caption.y_axis = "gap / m";
    }
    if (!task.waves.empty()) caption.reach = table_reach(experiment, *caption.own_point, maps[0].grid.frequency);
    for (std::size_t i = 1; i < maps.size(); ++i) caption.overlays.push_back({cases[i].label, maps[i].boundaries});
    study::draw_map(maps[0].grid, caption, folder);
}

/// A double pulse as the specimen feels it.
study::ColumnSolver felt_pulse_solver(const MapTask& task, const Experiment& experiment, const MapCase& one) {
    return [solve = study::pulse_solver(experiment, one.specimen, task.equations), sense = one.sense](
               double velocity_m_s, std::span<const double> gaps_m, std::span<solver::MapOutcome> outcomes) {
        solve(sense * velocity_m_s, gaps_m, outcomes);
    };
}

/// Solves and writes one map.
SolvedMap solve_case(const MapTask& task, const Experiment& experiment, const MapCase& one, std::size_t index,
                     const MapPlaces& to, double tolerance, const study::MapWork& how) {
    const bool in_lanes = !task.waves.empty() && task.waves[index].in_lanes();
    const study::ColumnSolver solve =
        task.waves.empty() ? felt_pulse_solver(task, experiment, one) : study::column_solver(task.waves[index]);
    SolvedMap result{study::solve_grid(solve, task.frequency, task.amplitude, how), {}};
    result.grid.kind = task.kind;
    result.grid.block_count = one.specimen.blocks.size();
    study::write_map_csv(result.grid, to.csv_of(index));
    if (!to.folder.empty()) {
        if (tolerance == 0.0) tolerance = in_lanes ? kTolerance : kSlowMapTolerance;
        result.boundaries = study::find_boundaries(solve, result.grid, tolerance, how);
        files::write_file(numbered(to.folder / "boundaries.csv", index),
                          study::boundaries_csv(result.boundaries, task.kind), Overwrite::allow);
    }
    return result;
}

}  // namespace

void run_wave_map(const WaveMapRequest& request, const Experiment& experiment) {
    const std::vector<MapCase> cases = map_cases(experiment, request.initial_rotations_rad);
    const MapTask task = map_task(request, experiment, cases);
    const MapPlaces to = map_places({request.out, request.csv, request.force}, experiment.name, cases.size());
    const std::atomic<bool>& stop = stop_on_signals();
    const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
    study::MapWork how{request.threads, &stop, {}};
    if (is_terminal) how.on_progress = [](double share) { print_map_progress(share); };

    std::vector<SolvedMap> maps;
    if (!to.folder.empty()) make_map_folder(to.folder);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        maps.push_back(solve_case(task, experiment, cases[i], i, to, request.tolerance, how));
        if (is_terminal) text::tell_over("");
        text::print_out("{}{}{}{}\n", cases[i].label,
                        task.waves.empty() ? std::string(":\n") : study::axes_text(task.waves[i]),
                        study::outcome_shares(maps[i].grid),
                        to.folder.empty() ? std::string() : fmt::format("; {} transitions", maps[i].boundaries.size()));
        if (!task.waves.empty()) {
            const std::string remark =
                study::uniform_remark(maps[i].grid, study::own_wave(task.waves[i], map_wave(experiment)));
            if (!remark.empty()) text::tell("topple: {}: {}\n", cases[i].label, remark);
        }
        if (const std::size_t failed = study::failed_count(maps[i].grid); failed > 0)
            text::tell("topple: {}: the solutions of {} waves failed; these waves have no outcome\n", cases[i].label,
                       failed);
        if (stop) break;
    }
    if (!to.folder.empty()) draw(maps, cases, experiment, task, request.by_angle, to.folder);
    text::print_out("written: {}\n", to.folder.empty() ? to.csv.string() : to.folder.string());
    if (stop)
        throw firmware_iface::DeviceError(
            fmt::format("stopped by {} with {} of {} {} solved; the solved ones are written", stop_signal_name(),
                        maps.back().grid.done_count(), task.frequency.count,
                        task.kind == MapKind::wave ? "frequencies" : "velocities"));
}

}  // namespace topple::hil::cli
