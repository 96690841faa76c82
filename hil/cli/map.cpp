// topple map: the outcome over frequency and amplitude of the experiment's wave, or a fragility study.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "firmware_iface/fault.hpp"
#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/map_assembly.hpp"
#include "hil/cli/map_fragility.hpp"
#include "hil/cli/map_keys.hpp"
#include "hil/cli/map_places.hpp"
#include "hil/cli/map_reach.hpp"
#include "hil/cli/signals.hpp"
#include "hil/cluster/started_by.hpp"
#include "hil/experiment/axis_motions.hpp"
#include "hil/experiment/fragility.hpp"
#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/study/key_axis.hpp"
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

constexpr unsigned kThreadsMax = 1024;
constexpr double kTolerance = 1e-6, kSlowTolerance = 1e-3;  // chaotic boundaries of stacks cost seconds

struct MapOptions {
    std::string file, out, csv, model, resume;
    std::string frequency = "0.1:10:200", amplitude = "0.1:10:200", by = "tan";
    std::string velocity, gap, initial_rotations_rad, x, y;
    double tolerance = 0.0;  // 0: kTolerance or, for one-by-one cells, kSlowTolerance
    unsigned threads = 0;
    bool force = false;
};

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

MapTask map_task(const MapOptions& options, const Experiment& experiment, const std::vector<MapCase>& cases) {
    MapTask task;
    const std::string model = options.model.empty() ? experiment.model : options.model;
    task.equations = plan::solver_options(experiment, model);
    require_model(model, task.equations.model, cases);
    if (!options.velocity.empty() || !options.gap.empty()) {
        const study::PulseAxes axes = study::pulse_axes(experiment, options.velocity, options.gap);
        task.kind = MapKind::double_pulse;
        task.frequency = axes.velocity;
        task.amplitude = axes.gap;
    } else {
        task.frequency = parse_axis("--frequency-ratio", options.frequency, kFrequencyRatioLeast);
        task.amplitude = parse_axis("--amplitude-ratio", options.amplitude, 0.0);
        const solver::MapWave wave = map_wave(experiment);
        const auto axis = options.by == "alpha" ? solver::AmplitudeAxis::angle : solver::AmplitudeAxis::tangent;
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
        if (tolerance == 0.0) tolerance = in_lanes ? kTolerance : kSlowTolerance;
        result.boundaries = study::find_boundaries(solve, result.grid, tolerance, how);
        files::write_file(numbered(to.folder / "boundaries.csv", index),
                          study::boundaries_csv(result.boundaries, task.kind), Overwrite::allow);
    }
    return result;
}

/// A map over two numbers of the file has no other axes.
void require_keys_only(const MapOptions& options) {
    if (options.x.empty() || options.y.empty())
        throw InputError("--x and --y: both are needed for a map over two numbers of the file");
    const bool others = !options.velocity.empty() || !options.gap.empty() || !options.initial_rotations_rad.empty() ||
                        options.by != "tan" || options.frequency != MapOptions{}.frequency ||
                        options.amplitude != MapOptions{}.amplitude;
    if (others)
        throw InputError(
            "--x and --y: not together with --frequency-ratio, --amplitude-ratio, --amplitude-by, --peak-velocity, "
            "--gap or --initial-rotation, which are axes of their own");
}

/// An assembly has neither p nor a balance: its map has the two axes and no other options.
void require_axes_only(const MapOptions& options) {
    const bool others = !options.velocity.empty() || !options.gap.empty() || !options.initial_rotations_rad.empty() ||
                        !options.model.empty() || options.by != "tan" || options.tolerance != 0.0 ||
                        !options.x.empty() || !options.y.empty();
    if (others)
        throw InputError(
            options.file +
            ": the map of an assembly takes --frequency-ratio and --amplitude-ratio only: multiples of the "
            "file's own frequency and amplitude");
}

/// A study has its axes in the file.
void require_study_only(const MapOptions& options) {
    const bool others = !options.velocity.empty() || !options.gap.empty() || !options.initial_rotations_rad.empty() ||
                        options.by != "tan" || options.tolerance != 0.0 || !options.x.empty() || !options.y.empty() ||
                        !options.csv.empty() || options.force || options.frequency != MapOptions{}.frequency ||
                        options.amplitude != MapOptions{}.amplitude;
    if (others)
        throw InputError(options.file +
                         ": a file with [fragility] takes --out, --resume, --model and --threads only: its motions and "
                         "values are in the file");
    if (!options.out.empty() && !options.resume.empty())
        throw InputError("--resume: not together with --out: it names the folder");
}

void run_map(const MapOptions& options) {
    const auto study = [&] {
        run_fragility_study({options.out, options.resume, options.model, options.threads}, options.file,
                            [&] { require_study_only(options); });
    };
    if (cluster::is_started_by_mpirun()) return study();  // so that one rank tells what is wrong with the file
    const Experiment experiment = experiment::read_experiment_for(options.file, options.model);
    if (experiment::read_fragility(experiment)) return study();
    if (!options.resume.empty()) throw InputError("--resume: only of a file with [fragility]");
    if (experiment.vertical_excitation.type != "none")
        throw InputError(
            options.file +
            ": [vertical_excitation]: the axes of a map have no place for its size; use it with predict only");
    if (experiment.assembly) {
        require_axes_only(options);
        return run_assembly_map({options.file, options.out, options.csv, options.frequency, options.amplitude,
                                 options.threads, options.force},
                                experiment);
    }
    if (!options.x.empty() || !options.y.empty()) {
        experiment::require_planar(experiment, "a map over keys");
        require_keys_only(options);
        return run_key_map(
            {options.out, options.csv, options.model, options.x, options.y,
             options.tolerance == 0.0 ? kSlowTolerance : options.tolerance, options.threads, options.force},
            experiment);
    }
    const std::vector<MapCase> cases = map_cases(experiment, split_numbers(options.initial_rotations_rad));
    const MapTask task = map_task(options, experiment, cases);
    const MapPlaces to = map_places({options.out, options.csv, options.force}, experiment.name, cases.size());
    const std::atomic<bool>& stop = stop_on_signals();
    const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
    study::MapWork how{options.threads, &stop, {}};
    if (is_terminal) how.on_progress = [](double share) { print_map_progress(share); };

    std::vector<SolvedMap> maps;
    if (!to.folder.empty()) make_map_folder(to.folder);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        maps.push_back(solve_case(task, experiment, cases[i], i, to, options.tolerance, how));
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
    if (!to.folder.empty()) draw(maps, cases, experiment, task, options.by == "alpha", to.folder);
    text::print_out("written: {}\n", to.folder.empty() ? to.csv.string() : to.folder.string());
    if (stop)
        throw firmware_iface::DeviceError(
            fmt::format("stopped by {} with {} of {} {} solved; the solved ones are written", stop_signal_name(),
                        maps.back().grid.done_count(), task.frequency.count,
                        task.kind == MapKind::wave ? "frequencies" : "velocities"));
}

/// LO:HI:N; the same that is read once the command has begun.
CLI::Validator axis_text(double least) {
    return readable([=](const std::string& text) { parse_axis("range", text, least); });
}

}  // namespace

void add_map(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("map", "Outcome over frequency and amplitude of the experiment's wave; a fragility study");
    const auto options = std::make_shared<MapOptions>();
    command->add_option("FILE", options->file, "Experiment file (TOML)")->required()->type_name("FILE");
    command
        ->add_option("--frequency-ratio", options->frequency,
                     "omega/p (assembly: times the file's frequency), evenly spaced, ends included")
        ->check(axis_text(kFrequencyRatioLeast))
        ->type_name("LO:HI:N")
        ->capture_default_str();
    command
        ->add_option("--amplitude-ratio", options->amplitude,
                     "a0/(g tan alpha) (assembly: times the file's amplitude), evenly spaced, ends included")
        ->check(axis_text(0.0))
        ->type_name("LO:HI:N")
        ->capture_default_str();
    command->add_option("--amplitude-by", options->by, "tan: a0/(g tan alpha); alpha: a0/(alpha g)")
        ->check(one_of({"tan", "alpha"}))
        ->type_name("WORD")
        ->capture_default_str();
    command
        ->add_option("--peak-velocity", options->velocity,
                     "Double pulse only, with --gap: map over the peak velocity (m/s) instead")
        ->check(axis_text(0.0))
        ->type_name("LO:HI:N");
    command->add_option("--gap", options->gap, "Double pulse only: distance from the start to the stopper (m)")
        ->check(axis_text(0.0))
        ->type_name("LO:HI:N");
    command
        ->add_option("--x", options->x,
                     fmt::format("With --y: map over two numbers of the file, such as excitation.frequency_hz or "
                                 "specimen.height_m, or {}",
                                 derived_axes_text()))
        ->check(readable([](const std::string& text) { study::parse_key_axis("--x", text); }))
        ->type_name("KEY=LO:HI:N");
    command->add_option("--y", options->y, "As --x")
        ->check(readable([](const std::string& text) { study::parse_key_axis("--y", text); }))
        ->type_name("KEY=LO:HI:N");
    command
        ->add_option("--initial-rotation", options->initial_rotations_rad,
                     "One map for each of these initial rotations (released at t = 0); rad, separated by commas")
        ->check(numbers_by_commas(-0.5 * std::numbers::pi, 0.5 * std::numbers::pi))
        ->type_name("R,...");
    command
        ->add_option(
            "--model", options->model,
            fmt::format("One of: {}; default: the file's, or full", fmt::join(experiment::model_names(), ", ")))
        ->check(one_of(experiment::model_names()))
        ->type_name("NAME");
    command
        ->add_option("--out", options->out,
                     "Folder for map.csv, boundaries.csv, map.svg, map.png and map.gp; "
                     "default runs/<UTC>_<name>_map")
        ->type_name("DIR");
    command->add_option("--csv", options->csv, "Write the cells to this file; without --out only this file is written")
        ->type_name("OUT.csv");
    command
        ->add_option("--boundary-tolerance", options->tolerance,
                     "Width of the brackets of the boundaries, relative; default 1e-6, stacks and double pulses 1e-3")
        ->transform(number_between(1e-12, 0.1))
        ->type_name("RATIO");
    command
        ->add_option("--resume", options->resume,
                     "Of a file with [fragility]: go on with the study in this folder, which was begun with this file")
        ->type_name("DIR");
    command->add_option("--threads", options->threads, "Default: one per processor")
        ->transform(whole_number(1, kThreadsMax))
        ->type_name("N");
    command->add_flag("--force", options->force, "Allow overwriting");
    command->footer(
        "Of a file with [fragility] a fragility study is made instead (docs/fragility.md), under mpirun by all ranks.\n"
        "Ctrl-C writes what is solved so far.\n"
        "Example:\n  topple map docs/examples/b6l_sine.toml --frequency-ratio 0.1:10:1000 "
        "--amplitude-ratio 0.1:10:1000 --out b6l_map");
    command->callback([options] { run_map(*options); });
}

}  // namespace topple::hil::cli
