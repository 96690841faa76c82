// topple fit free-rocking: restitution of a block from one release or a series of them.
#include "hil/cli/fit_free_rocking.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hil/cli/arguments.hpp"
#include "hil/conclude/conclude_run.hpp"
#include "hil/conclude/rotation_file.hpp"
#include "hil/conclude/test_files.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/files/drawn_figure.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "hil/study/free_rocking_series.hpp"
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
    std::vector<std::string> records;
    std::string experiment, figure, out;
    double rate_hz = 0.0, edge_strip_m = -1.0, material = 0.0, material_error = 0.0;
    bool json = false, force = false;
};

bool is_folder(const std::string& record) {
    std::error_code ignored;
    return std::filesystem::is_directory(record, ignored);
}

void require_size(const solver::Block& block) {
    if (block.width_m == 0.0 || block.height_m == 0.0)
        throw InputError(
            "the block's dimensions are missing: --width-m and --height-m, --experiment FILE, or a run folder as "
            "record");
    for (const double length_m : {block.width_m, block.height_m})
        if (length_m > kLengthMax_m)
            throw InputError(
                fmt::format("a block of {:g} m x {:g} m; at most {:g} m is allowed (millimetres? {:g} mm is {:g} m)",
                            block.width_m, block.height_m, kLengthMax_m, length_m, length_m / 1000.0));
}

/// The first block of an experiment, which must stand alone.
void take_block(const experiment::Experiment& experiment, const std::string& name, FreeRockingRequest& request) {
    if (!experiment.specimens.empty() && (experiment.specimens[0].foot || experiment.specimens[0].pivots))
        throw InputError(
            fmt::format("{}: free rocking is fitted to a single rectangular block; an irregular or "
                        "asymmetric body is learned from its runs: use `topple fit RUN`",
                        name));
    if (experiment.specimens.empty() || experiment.specimens[0].blocks.size() != 1)
        throw InputError(fmt::format("{}: the first specimen is not a single rectangular block", name));
    request.block = experiment.specimens[0].blocks[0];
    request.gravity_m_s2 = experiment.gravity_m_s2;
}

/// Rotation from t = 0 to the end of the recording.
solver::RotationHistory rotation_of(const run_log::RunData& run, std::size_t sensor) {
    using run_log::EventKind;
    solver::RotationHistory history;
    const auto start_us = run.event_time_us(EventKind::motion_start);
    const auto end_us = run.event_time_us(EventKind::recording_end);
    for (const firmware_iface::Feedback& feedback : run.feedback) {
        if (!start_us || feedback.device_time_us < *start_us || (end_us && feedback.device_time_us > *end_us)) continue;
        if (feedback.rotation_count <= sensor || !std::isfinite(feedback.rotation_rad[sensor])) continue;
        const double time_s = 1e-6 * static_cast<double>(feedback.device_time_us - *start_us);
        if (!history.time_s.empty() && time_s <= history.time_s.back()) continue;
        history.time_s.push_back(time_s);
        history.rotation_rad.push_back(feedback.rotation_rad[sensor]);
    }
    return history;
}

/// The same by the camera whose file is in the run folder.
solver::RotationHistory filmed_rotation_of(const std::string& folder, std::size_t block) {
    const auto filmed = conclude::read_conclusion(folder).camera.value().filmed;
    solver::RotationHistory history;
    for (std::size_t i = 0; block < filmed.rotation_rad.size() && i < filmed.time_s.size(); ++i) {
        if (filmed.time_s[i] < 0.0 || !std::isfinite(filmed.rotation_rad[block][i])) continue;
        history.time_s.push_back(filmed.time_s[i]);
        history.rotation_rad.push_back(filmed.rotation_rad[block][i]);
    }
    return history;
}

/// A run in which the block was released from a tilt on a table at rest.
void take_run(const std::string& folder, FreeRockingRequest& request) {
    const run_log::RunData run = run_log::read_run_log(folder);
    if (!run.data_whole) throw InputError(fmt::format("{}: its log is damaged; a decay is judged as a whole", folder));
    conclude::check_files_of_test(folder, run);
    const experiment::Experiment experiment = conclude::read_experiment_as_run(folder);
    if (experiment.excitation.type != "none")
        throw InputError(fmt::format("{}: excitation.type = \"{}\"; free rocking is a run with type = \"none\"", folder,
                                     experiment.excitation.type));
    const solver::Block given = request.block;
    take_block(experiment, folder, request);
    const auto& released = experiment.specimens[0].initial_rotation_rad;
    if (released.empty() || released[0] == 0.0)
        throw InputError(fmt::format("{}: initial_rotation_rad = 0: the block was not released from a tilt", folder));
    if (given.width_m != 0.0 && (given.width_m != request.block.width_m || given.height_m != request.block.height_m))
        throw InputError(fmt::format("{}: a block of {:g} m x {:g} m, not of {:g} m x {:g} m: a series is of one block",
                                     folder, request.block.width_m, request.block.height_m, given.width_m,
                                     given.height_m));
    request.history = conclude::has_camera(folder) ? filmed_rotation_of(folder, request.rotation_index)
                                                   : rotation_of(run, request.rotation_index);
    if (request.history->time_s.empty())
        throw InputError(
            fmt::format("{}: no rotation {} in its log, and none by a camera", folder, request.rotation_index));
}

/// One request per record; all have the block of the options or of the first folder.
std::vector<FreeRockingRequest> requests_of(FitOptions& options) {
    if (!options.experiment.empty())
        take_block(experiment::read_experiment(options.experiment), options.experiment, options.request);
    std::vector<FreeRockingRequest> requests;
    for (const std::string& record : options.records) {
        requests.push_back(options.request);
        requests.back().record = record;
        if (!is_folder(record)) continue;
        take_run(record, requests.back());
        if (options.request.block.width_m != 0.0) continue;
        options.request.block = requests.back().block;
        options.request.gravity_m_s2 = requests.back().gravity_m_s2;
    }
    require_size(options.request.block);
    for (FreeRockingRequest& request : requests)  // those that came before the folder
        if (request.block.width_m == 0.0) {
            request.block = options.request.block;
            request.gravity_m_s2 = options.request.gravity_m_s2;
        }
    return requests;
}

void run_free_rocking(FitOptions options, const CLI::App& command) {
    FreeRockingRequest& request = options.request;
    if (command.count("--rate") > 0) request.rate_hz = options.rate_hz;
    if (command.count("--edge-strip-m") > 0) request.edge_strip_m = options.edge_strip_m;
    if (command.count("--material") > 0) request.material = {options.material, options.material_error};
    const Overwrite overwrite = options.force ? Overwrite::allow : Overwrite::refuse;
    for (const std::string& file : {options.figure, options.out})
        if (!file.empty()) files::require_writable_name(file, overwrite);
    if (!options.figure.empty()) files::require_figure_name(options.figure);
    const std::vector<FreeRockingRequest> requests = requests_of(options);
    const auto give = [&](const std::string& json, const std::string& text) {
        text::print_out("{}", options.json ? json : text);
        if (!options.out.empty()) files::write_file(options.out, json, overwrite);
    };
    if (requests.size() == 1) {
        const study::FreeRockingFit fit = study::fit_free_rocking(requests[0]);
        give(study::free_rocking_json(requests[0], fit), study::free_rocking_text(requests[0], fit));
        if (!options.figure.empty()) study::draw_free_rocking(requests[0], fit, options.figure);
        return;
    }
    const study::FreeRockingSeries series = study::fit_series(requests);
    give(study::series_json(requests[0], series), study::series_text(requests[0], series));
    if (!options.figure.empty()) study::draw_series(requests[0], series, options.figure);
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

void add_fit_free_rocking(CLI::App& fit) {
    CLI::App* command =
        fit.add_subcommand("free-rocking", "Restitution, impulse position and material factor of a block");
    const auto options = std::make_shared<FitOptions>();
    command
        ->add_option("REC", options->records,
                     "Measured rotation, one or more releases: CSV with columns time_s and rotation_rad or "
                     "rotation_deg, or run folder")
        ->required()
        ->type_name("REC");
    add_block_options(*command, *options);
    add_procedure_options(*command, *options);
    command->add_option("--rate", options->rate_hz, "Sampling rate of a record without time")
        ->transform(number_above_zero())
        ->type_name("HZ");
    command->add_option("--rotation-index", options->request.rotation_index, "Column rotation_<I>_...; default 0")
        ->transform(whole_number())
        ->type_name("I");
    command->add_flag(
        "--json", options->json,
        "Print topple.free_rocking_fit/1, of several records topple.free_rocking_series/1, instead of text");
    command->add_option("--out", options->out, "Write that document to this file")->type_name("OUT.json");
    command
        ->add_option("--figure", options->figure,
                     "Draw rotation and ratios, of several records ratios and energy, to this .svg or .png file")
        ->type_name("OUT");
    command->add_flag("--force", options->force, "Allow overwriting");
    command->footer(
        "Example:\n  topple fit free-rocking full.csv --width-m 0.06 --height-m 0.27 --edge edge.csv "
        "--edge-strip-m 0.0015 "
        "--figure fit.svg");
    command->callback([options, command] { run_free_rocking(*options, *command); });
}

}  // namespace topple::hil::cli
