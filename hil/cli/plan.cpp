// topple plan: is the motion feasible, and what is it, sample by sample.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "hil/cli/commands.hpp"
#include "hil/files/drawn_figure.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "hil/plan/motion_plan.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using files::Overwrite;

struct PlanOptions {
    std::string file, csv, figure;
    bool json = false, force = false;
};

void run_plan(const PlanOptions& options) {
    const Overwrite overwrite = options.force ? Overwrite::allow : Overwrite::refuse;
    const experiment::Experiment experiment = experiment::read_experiment(options.file);
    for (const std::string& file : {options.csv, options.figure})
        if (!file.empty()) files::require_writable_name(file, overwrite);
    if (!options.figure.empty()) files::require_figure_name(options.figure);
    const plan::MotionPlan plan = plan::plan_motion(experiment);
    text::print_out("{}", options.json ? plan::plan_json(experiment, plan) : plan::plan_text(experiment, plan));
    if (!plan.feasibility.feasible())
        throw files::InputError(fmt::format("{}: not feasible on {}\n{}", options.file,
                                            experiment.table.description.name, plan.feasibility.text()));
    const auto samples = plan::sample_axes(plan.axes(), experiment.table.description.feedback_rate_hz);
    if (!options.csv.empty()) files::write_file(options.csv, plan::motion_csv(samples), overwrite);
    if (!options.figure.empty()) plan::draw_motion(experiment.name, samples, options.figure);
}

}  // namespace

void add_plan(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("plan", "Check the motion against the table and write it for other software");
    const auto options = std::make_shared<PlanOptions>();
    command->add_option("FILE", options->file, "Experiment file (TOML)")->required()->type_name("FILE");
    command->add_flag("--json", options->json, "Print topple.plan/1 instead of text");
    command->add_option("--csv", options->csv, "Write time, position, velocity and acceleration to this file")
        ->type_name("OUT.csv");
    command->add_option("--figure", options->figure, "Draw the motion to this .svg or .png file")
        ->type_name("OUT.svg|OUT.png");
    command->add_flag("--force", options->force, "Allow overwriting the files");
    command->footer("Example:\n  topple plan docs/examples/b6l_sine.toml --csv b6l_motion.csv --figure b6l_motion.svg");
    command->callback([options] { run_plan(*options); });
}

}  // namespace topple::hil::cli
