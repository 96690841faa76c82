// topple fit: parameters of a specimen from tests of it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>

#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/files/drawn_figure.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "hil/study/free_rocking.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using files::InputError;
using files::Overwrite;
using study::Contact;
using study::FreeRockingRequest;

const std::map<std::string, solver::FitWindow> kWindows{{"whole", solver::FitWindow::whole},
                                                        {"middle", solver::FitWindow::middle_half},
                                                        {"first", solver::FitWindow::first_half_period}};
const std::map<std::string, Contact> kContacts{{"full", Contact::full}, {"edge", Contact::edge}};

constexpr double kLengthMax_m = 20.0;  // nobody measures the free rocking of a larger block in a laboratory

struct FitOptions {
    FreeRockingRequest request;
    std::string experiment, figure, out;
    double rate_hz = 0.0, edge_strip_m = -1.0, material = 0.0, material_error = 0.0;
    bool json = false, force = false;
};

/// Dimensions from the first block of an experiment file.
void take_block(FitOptions& options) {
    FreeRockingRequest& request = options.request;
    if (options.experiment.empty()) {
        if (request.block.width_m == 0.0 || request.block.height_m == 0.0)
            throw InputError("the block's dimensions are missing: --width-m and --height-m, or --experiment FILE");
        for (const double length_m : {request.block.width_m, request.block.height_m})
            if (length_m > kLengthMax_m)
                throw InputError(fmt::format(
                    "a block of {:g} m x {:g} m; at most {:g} m is allowed (millimetres? {:g} mm is {:g} m)",
                    request.block.width_m, request.block.height_m, kLengthMax_m, length_m, length_m / 1000.0));
        return;
    }
    const experiment::Experiment experiment = experiment::read_experiment(options.experiment);
    if (experiment.specimens.empty() || experiment.specimens[0].blocks.size() != 1 || experiment.specimens[0].pivots)
        throw InputError(fmt::format("{}: the first specimen is not a single rectangular block", options.experiment));
    request.block = experiment.specimens[0].blocks[0];
    request.gravity_m_s2 = experiment.gravity_m_s2;
}

void run_fit(FitOptions options, const CLI::App& command) {
    take_block(options);
    FreeRockingRequest& request = options.request;
    if (command.count("--rate") > 0) request.rate_hz = options.rate_hz;
    if (command.count("--edge-strip-m") > 0) request.edge_strip_m = options.edge_strip_m;
    if (command.count("--material") > 0) request.material = {options.material, options.material_error};
    const Overwrite overwrite = options.force ? Overwrite::allow : Overwrite::refuse;
    for (const std::string& file : {options.figure, options.out})
        if (!file.empty()) files::require_writable_name(file, overwrite);
    if (!options.figure.empty()) files::require_figure_name(options.figure);
    const study::FreeRockingFit fit = study::fit_free_rocking(request);
    const std::string json = study::free_rocking_json(request, fit);
    text::print_out("{}", options.json ? json : study::free_rocking_text(request, fit));
    if (!options.out.empty()) files::write_file(options.out, json, overwrite);
    if (!options.figure.empty()) study::draw_free_rocking(request, fit, options.figure);
}

void add_block_options(CLI::App& command, FitOptions& options) {
    auto* experiment =
        command.add_option("--experiment", options.experiment, "Take block and gravity from this experiment file");
    command.add_option("--width-m,--width", options.request.block.width_m, "Width of the block")
        ->transform(number_above_zero())
        ->type_name("M")
        ->excludes(experiment);
    command.add_option("--height-m,--height", options.request.block.height_m, "Height of the block")
        ->transform(number_above_zero())
        ->type_name("M")
        ->excludes(experiment);
    command.add_option("--gravity-m-s2,--gravity", options.request.gravity_m_s2, "Default 9.81")
        ->transform(number_above_zero())
        ->type_name("M/S2")
        ->excludes(experiment);
    experiment->type_name("FILE");
}

void add_procedure_options(CLI::App& command, FitOptions& options) {
    command
        .add_option("--use", options.request.window,
                    "Ratio from which k and material factor are computed: whole, middle or first")
        ->transform(CLI::CheckedTransformer(kWindows).description(""))
        ->transform(one_of({"whole", "middle", "first"}))  // CLI11 would also take their numbers
        ->type_name("whole|middle|first");
    command.add_option("--contact", options.request.contact, "full: find k; edge: find the material factor")
        ->transform(CLI::CheckedTransformer(kContacts).description(""))
        ->transform(one_of({"full", "edge"}))
        ->type_name("full|edge");
    command
        .add_option("--edge-strip-m", options.edge_strip_m,
                    "Width of the strips that the block touches in edge contact")
        ->transform(number_above_zero())
        ->type_name("M");
    command
        .add_option("--edge", options.request.edge_records,
                    "Records of the same block in edge contact, for the material factor")
        ->type_name("CSV ...");
    auto* material = command.add_option("--material", options.material, "Material factor, if known")
                         ->transform(number_between(0.0, 1.0))
                         ->type_name("E");
    command.add_option("--material-error", options.material_error, "Its standard error; default 0")
        ->transform(number_between(0.0, 1.0))
        ->type_name("E")
        ->needs(material);
}

}  // namespace

void add_fit(CLI::App& app) {
    CLI::App* fit = app.add_subcommand("fit", "Parameters of a specimen from tests of it");
    fit->require_subcommand(1);
    CLI::App* command =
        fit->add_subcommand("free-rocking", "Restitution, impulse position and material factor of a block");
    const auto options = std::make_shared<FitOptions>();
    command
        ->add_option("CSV", options->request.record,
                     "Measured rotation: columns time_s and rotation_rad or rotation_deg")
        ->required()
        ->type_name("CSV");
    add_block_options(*command, *options);
    add_procedure_options(*command, *options);
    command->add_option("--rate", options->rate_hz, "Sampling rate of a record without time")
        ->transform(number_above_zero())
        ->type_name("HZ");
    command->add_option("--rotation-index", options->request.rotation_index, "Column rotation_<I>_...; default 0")
        ->transform(whole_number())
        ->type_name("I");
    command->add_flag("--json", options->json, "Print topple.free_rocking_fit/1 instead of text");
    command->add_option("--out", options->out, "Write that document to this file")->type_name("OUT.json");
    command->add_option("--figure", options->figure, "Draw rotation and ratios to this .svg or .png file")
        ->type_name("OUT");
    command->add_flag("--force", options->force, "Allow overwriting");
    command->footer(
        "Example:\n  topple fit free-rocking full.csv --width-m 0.06 --height-m 0.27 --edge edge.csv "
        "--edge-strip-m 0.0015 "
        "--figure fit.svg");
    command->callback([options, command] { run_fit(*options, *command); });
}

}  // namespace topple::hil::cli
