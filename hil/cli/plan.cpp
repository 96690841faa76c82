// topple plan: is the motion feasible, and what is it, sample by sample; and what a record of ground motion holds.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/motion_series.hpp"
#include "hil/files/drawn_figure.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/output_file.hpp"
#include "hil/ground_motion/read_record.hpp"
#include "hil/plan/motion_plan.hpp"
#include "hil/plan/record_view.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using files::Overwrite;

struct PlanOptions {
    std::vector<std::string> files;
    std::string csv, figure, units;
    MotionSeries series;
    std::optional<double> step_s;
    bool json = false, force = false;
};

/// Nothing of a file that cannot be opened: the reader of experiments says why.
bool is_record(const std::string& file) {
    if (std::filesystem::path(file).extension() == ".toml") return false;
    try {
        return !ground_motion::looks_like_experiment(files::read_text_file(file, ground_motion::kBytesMax));
    } catch (const files::InputError&) {
        return false;
    }
}

/// One block for each file; the others are shown although one is refused.
void look_at_records(const PlanOptions& options) {
    if (!options.csv.empty() || !options.figure.empty() || !options.series.file.empty())
        throw files::InputError("--csv, --figure and --export need an experiment file: a record alone has no table");
    std::vector<plan::LookedAt> all;
    std::string refused;
    for (const std::string& file : options.files) {
        all.push_back(plan::look_at(file, {options.step_s, options.units}));
        if (!all.back().refused.empty()) refused += (refused.empty() ? "" : "\n") + all.back().refused;
    }
    text::print_out("{}", options.json ? plan::looked_at_json(all) : plan::looked_at_text(all));
    if (!refused.empty()) throw files::InputError(refused);
}

void run_plan(const PlanOptions& options) {
    if (options.files.size() > 1 || is_record(options.files.front())) return look_at_records(options);
    const std::string& file = options.files.front();
    if (!options.units.empty() || options.step_s) {
        files::read_text_file(file, ground_motion::kBytesMax);  // says what it is, if it cannot be read at all
        throw files::InputError(
            "--units and --step are for records that stand alone; in an experiment file write "
            "excitation.units and excitation.step_s");
    }
    const Overwrite overwrite = options.force ? Overwrite::allow : Overwrite::refuse;
    const experiment::Experiment experiment = experiment::read_experiment(file);
    for (const std::string& written : {options.csv, options.figure, options.series.file})
        if (!written.empty()) files::require_writable_name(written, overwrite);
    if (!options.figure.empty()) files::require_figure_name(options.figure);
    require_series(options.series);
    const plan::MotionPlan plan = plan::plan_motion(experiment);
    text::print_out("{}", options.json ? plan::plan_json(experiment, plan) : plan::plan_text(experiment, plan));
    // The picture is wanted most where the motion does not fit; the motion itself is for driving.
    if (!options.figure.empty()) plan::draw_motion(experiment, plan, options.figure);
    if (!plan.feasibility.feasible())
        throw files::InputError(fmt::format("{}: not feasible on {}\n{}", file, experiment.table.description.name,
                                            plan.feasibility.text()));
    if (!options.series.file.empty()) {
        const std::string said = write_series(options.series, experiment, plan, overwrite);
        options.json ? text::tell_text(said) : text::print_text(said);
    }
    if (!options.csv.empty()) {
        const auto samples = plan::sample_axes(plan.axes(), experiment.table.description.feedback_rate_hz);
        files::write_file(options.csv, plan::motion_csv(samples), overwrite);
    }
}

}  // namespace

void add_plan(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("plan", "Check the motion against the table and write it for other software");
    const auto options = std::make_shared<PlanOptions>();
    command->add_option("FILE", options->files, "Experiment file (TOML), or records of ground motion to look at")
        ->required()
        ->type_name("FILE");
    command->add_option("--units", options->units, "Unit of records that state none")
        ->transform(one_of({"m/s2", "g", "cm/s2"}))
        ->type_name("m/s2|g|cm/s2");
    command->add_option("--step", options->step_s, "Time between two samples of records that state none, in s")
        ->transform(number_above_zero())
        ->type_name("S");
    command->add_flag("--json", options->json, "Print topple.plan/1 instead of text");
    command->add_option("--csv", options->csv, "Write time, position, velocity and acceleration to this file")
        ->type_name("OUT.csv");
    command->add_option("--figure", options->figure, "Draw the motion to this .svg or .png file")
        ->type_name("OUT.svg|OUT.png");
    add_series_options(*command, options->series);
    command->add_flag("--force", options->force, "Allow overwriting the files");
    command->footer(
        "Examples:\n  topple plan docs/examples/b6l_sine.toml --csv b6l_motion.csv --figure b6l_motion.svg\n"
        "  topple plan docs/examples/made_up_quake.at2");
    command->callback([options] { run_plan(*options); });
}

}  // namespace topple::hil::cli
