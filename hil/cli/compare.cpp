// topple compare: a run laid beside what a camera measured, or several runs of one test laid over each other.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/positions_options.hpp"
#include "hil/cli/rotation_options.hpp"
#include "hil/conclude/conclude_run.hpp"
#include "hil/conclude/repeated_runs.hpp"
#include "hil/files/drawn_figure.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

struct CompareOptions {
    std::vector<std::string> runs;
    RotationOptions rotation;
    PositionsOptions positions;
    std::string figure;
    bool force = false, json = false;
};

void lay_over_each_other(const CompareOptions& options) {
    const auto overwrite = options.force ? files::Overwrite::allow : files::Overwrite::refuse;
    if (!options.figure.empty()) {
        files::require_figure_name(options.figure);
        files::require_writable_name(options.figure, overwrite);
    }
    const conclude::RepeatedRuns runs = conclude::read_repeated_runs(options.runs);
    text::print_out("{}", options.json ? runs.json : runs.text);
    if (!options.figure.empty()) conclude::draw_repeated_runs(runs, options.figure);
}

void compare_with_camera(const CompareOptions& options, conclude::ConcludeOptions how) {
    if (options.json || !options.figure.empty())
        throw files::InputError("--json and --figure go with several runs; of one run see summary.json and figures/");
    if (how.positions.has_value() == how.rotation.has_value())
        throw files::InputError(
            "compare: give what a camera saw, --rotation CSV of blocks that rock or --positions CSV of an assembly's "
            "blocks; or several runs of one test");
    if (options.force && how.positions) how.positions->overwrite = files::Overwrite::allow;
    if (options.force && how.rotation) how.rotation->overwrite = files::Overwrite::allow;
    const conclude::ConcludedRun concluded = conclude::conclude_run(options.runs.front(), how);
    for (const std::string& damage : concluded.damage) text::tell("topple: the log is damaged: {}\n", damage);
    text::print_out("{}", concluded.text);
    if (!concluded.figures_missing.empty()) throw files::OutputError("figures: " + concluded.figures_missing);
}

void run_compare(const CompareOptions& options) {
    conclude::ConcludeOptions how;
    how.positions = positions_request(options.positions);
    how.rotation = rotation_request(options.rotation);
    if (options.runs.size() == 1) return compare_with_camera(options, how);
    if (how.positions || how.rotation)
        throw files::InputError("compare: a camera's file belongs to one run; give that run alone");
    lay_over_each_other(options);
}

}  // namespace

void add_compare(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "compare", "Judge a run by what a camera saw of its blocks, or lay several runs over each other");
    const auto options = std::make_shared<CompareOptions>();
    command->add_option("RUN", options->runs, "Run folder; several of one test: how it repeats")
        ->required()
        ->type_name("RUN");
    add_rotation_options(*command, options->rotation);
    add_positions_options(*command, options->positions);
    command->add_flag("--force", options->force, "Replace the camera's file of an earlier comparison, or the figure");
    command->add_flag("--json", options->json, "Of several runs: print topple.repeatability/1");
    command->add_option("--figure", options->figure, "Of several runs: their rotations in one figure")
        ->type_name("OUT.svg|OUT.png");
    command->footer(
        "Examples:\n  topple compare runs/20250101T120000Z_b6l --rotation camera.csv\n"
        "  topple compare runs/*_b6l --figure repeat.svg");
    command->callback([options] { run_compare(*options); });
}

}  // namespace topple::hil::cli
