// topple plan: is the motion feasible, and what is it, sample by sample.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/files/drawn_figure.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "hil/plan/motion_export.hpp"
#include "hil/plan/motion_plan.hpp"
#include "hil/text/tell.hpp"
#include "hil/vendor_files/mat_file.hpp"

namespace topple::hil::cli {
namespace {

using files::Overwrite;

struct PlanOptions {
    std::string file, csv, figure, series, columns;
    plan::ExportRequest series_as;
    bool json = false, force = false;
};

/// Words with commas between them, none of them unknown or empty. Throws InputError.
std::vector<std::string> split_columns(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        words.push_back(text.substr(at, end - at));
        plan::require_column(words.back());
        at = end + 1;
    }
    return words;
}

enum class SeriesFormat { tab, at2, matlab };

SeriesFormat series_format(const std::string& file) {
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending == ".mat") return SeriesFormat::matlab;
    if (ending == ".txt" || ending == ".tab") return SeriesFormat::tab;
    if (ending == ".at2" || ending == ".AT2") return SeriesFormat::at2;
    throw files::InputError(fmt::format(
        "--export {}: the ending says the format; allowed: .mat (MATLAB v5), .txt or .tab (tab-separated), .at2",
        file));
}

/// For the maker's software. AT2 is in g and of the acceleration, whatever was asked.
void export_series(const PlanOptions& options, const experiment::Experiment& experiment, const plan::MotionPlan& plan,
                   Overwrite overwrite) {
    const SeriesFormat format = series_format(options.series);
    plan::ExportRequest request = options.series_as;
    if (!options.columns.empty()) request.columns = split_columns(options.columns);
    if (format == SeriesFormat::at2) request.columns = {"acceleration"}, request.acceleration_unit = "g";
    const plan::ExportedMotion motion = plan::export_motion(experiment, plan, request);
    if (format == SeriesFormat::tab) files::write_file(options.series, plan::tab_text(motion), overwrite);
    if (format == SeriesFormat::at2)
        files::write_file(options.series, plan::at2_text(motion, experiment.name), overwrite);
    if (format == SeriesFormat::matlab) {
        std::vector<vendor_files::MatVariable> variables;
        for (const plan::ExportColumn& column : motion.columns) variables.push_back({column.quantity, column.values});
        vendor_files::write_mat_file(options.series, variables, overwrite);
    }
    if (options.json)
        text::tell("{}", plan::export_remarks(motion));
    else
        text::print_out("{}", plan::export_remarks(motion));
}

void run_plan(const PlanOptions& options) {
    const Overwrite overwrite = options.force ? Overwrite::allow : Overwrite::refuse;
    const experiment::Experiment experiment = experiment::read_experiment(options.file);
    for (const std::string& file : {options.csv, options.figure, options.series})
        if (!file.empty()) files::require_writable_name(file, overwrite);
    if (!options.figure.empty()) files::require_figure_name(options.figure);
    if (!options.series.empty()) series_format(options.series);
    const plan::MotionPlan plan = plan::plan_motion(experiment);
    text::print_out("{}", options.json ? plan::plan_json(experiment, plan) : plan::plan_text(experiment, plan));
    if (!plan.feasibility.feasible())
        throw files::InputError(fmt::format("{}: not feasible on {}\n{}", options.file,
                                            experiment.table.description.name, plan.feasibility.text()));
    if (!options.series.empty()) export_series(options, experiment, plan, overwrite);
    const auto samples = plan::sample_axes(plan.axes(), experiment.table.description.feedback_rate_hz);
    if (!options.csv.empty()) files::write_file(options.csv, plan::motion_csv(samples), overwrite);
    if (!options.figure.empty()) plan::draw_motion(experiment, plan, options.figure);
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
    command
        ->add_option("--export", options->series,
                     "Write the motion of axis x as the time series of other software: .mat, .txt, .tab or .at2")
        ->type_name("OUT.mat|OUT.txt|OUT.at2");
    command->add_option("--rate", options->series_as.rate_hz, "Rows a second of --export; default: the feedback rate")
        ->transform(number_above_zero())
        ->type_name("HZ");
    command
        ->add_option("--columns", options->columns,
                     "Of --export: time, position, velocity, acceleration; default: all four")
        ->transform(readable([](const std::string& text) { split_columns(text); }))
        ->type_name("QUANTITY,...");
    command->add_option("--unit", options->series_as.length_unit, "Of positions and velocities of --export")
        ->transform(one_of({"m", "cm", "mm", "in"}))
        ->type_name("m|cm|mm|in");
    command->add_option("--acceleration-unit", options->series_as.acceleration_unit, "Of --export")
        ->transform(one_of({"m/s2", "cm/s2", "g"}))
        ->type_name("m/s2|cm/s2|g");
    command->add_flag("--marker", options->series_as.marker,
                      "Of --export: a move of 2 mm out and back first, which import finds again");
    command->add_flag("--force", options->force, "Allow overwriting the files");
    command->footer("Example:\n  topple plan docs/examples/b6l_sine.toml --csv b6l_motion.csv --figure b6l_motion.svg");
    command->callback([options] { run_plan(*options); });
}

}  // namespace topple::hil::cli
