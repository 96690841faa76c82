// topple compare: a run laid beside what a camera measured.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "hil/cli/commands.hpp"
#include "hil/cli/positions_options.hpp"
#include "hil/cli/rotation_options.hpp"
#include "hil/conclude/conclude_run.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

struct CompareOptions {
    std::string run;
    RotationOptions rotation;
    PositionsOptions positions;
    bool force = false;
};

void run_compare(const CompareOptions& options) {
    conclude::ConcludeOptions how;
    how.positions = positions_request(options.positions);
    how.rotation = rotation_request(options.rotation);
    if (how.positions.has_value() == how.rotation.has_value())
        throw files::InputError(
            "compare: give what a camera saw, --rotation CSV of blocks that rock or --positions CSV of an assembly's "
            "blocks");
    if (options.force && how.positions) how.positions->overwrite = files::Overwrite::allow;
    if (options.force && how.rotation) how.rotation->overwrite = files::Overwrite::allow;
    const conclude::ConcludedRun concluded = conclude::conclude_run(options.run, how);
    for (const std::string& damage : concluded.damage) text::tell("topple: the log is damaged: {}\n", damage);
    text::print_out("{}", concluded.text);
    if (!concluded.figures_missing.empty()) throw files::OutputError("figures: " + concluded.figures_missing);
}

}  // namespace

void add_compare(CLI::App& app) {
    CLI::App* command = app.add_subcommand("compare", "Judge a run by what a camera saw of its blocks");
    const auto options = std::make_shared<CompareOptions>();
    command->add_option("RUN", options->run, "Run folder")->required()->type_name("RUN");
    add_rotation_options(*command, options->rotation);
    add_positions_options(*command, options->positions);
    command->add_flag("--force", options->force, "Replace the camera's file of an earlier comparison");
    command->footer(
        "Example:\n  topple compare runs/20250101T120000Z_basin --positions camera.csv --positions-start 1.24");
    command->callback([options] { run_compare(*options); });
}

}  // namespace topple::hil::cli
