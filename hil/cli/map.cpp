// topple map: the outcome over frequency and amplitude of the experiment's wave, or a fragility study.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/map_assembly.hpp"
#include "hil/cli/map_fragility.hpp"
#include "hil/cli/map_keys.hpp"
#include "hil/cli/map_places.hpp"
#include "hil/cli/map_waves.hpp"
#include "hil/cluster/started_by.hpp"
#include "hil/experiment/axis_motions.hpp"
#include "hil/experiment/fragility.hpp"
#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"
#include "hil/study/key_axis.hpp"

namespace topple::hil::cli {
namespace {

using experiment::Experiment;
using files::InputError;
using study::parse_axis;

constexpr unsigned kThreadsMax = 1024;

struct MapOptions {
    std::string file, out, csv, model, resume;
    std::string frequency = "0.1:10:200", amplitude = "0.1:10:200", by = "tan";
    std::string velocity, gap, initial_rotations_rad, x, y;
    double tolerance = 0.0;  // 0: the default of the map
    unsigned threads = 0;
    bool force = false;
};

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
             options.tolerance == 0.0 ? kSlowMapTolerance : options.tolerance, options.threads, options.force},
            experiment);
    }
    run_wave_map({options.out, options.csv, options.model, options.frequency, options.amplitude, options.velocity,
                  options.gap, split_numbers(options.initial_rotations_rad), options.by == "alpha", options.tolerance,
                  options.threads, options.force},
                 experiment);
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
