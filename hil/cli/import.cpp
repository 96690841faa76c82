// topple import: a run folder from a test driven by other software.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/import_table.hpp"
#include "hil/cli/positions_options.hpp"
#include "hil/cli/rotation_options.hpp"
#include "hil/conclude/import_run.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

struct ImportOptions {
    std::string file, motion, displacement, out, displacement_check = "on";
    double rate_hz = 0.0;
    std::optional<double> start_s, displacement_shift_max_s;
    std::vector<std::string> channels;
    bool camera = false, marker = false;
    RotationOptions rotation;
    PositionsOptions positions;
    ImportTableOptions table;
};

void take_rotation(const ImportOptions& options, conclude::ImportRequest& request) {
    const auto rotation = rotation_request(options.rotation);
    request.from_camera = options.camera;
    if (!rotation) return;
    if (rotation->setup.sync_s)
        throw files::InputError("--rotation-sync: an imported test has no trigger; give --rotation-start");
    if (rotation->setup.correlate && !options.camera)
        throw files::InputError("--rotation-correlate: goes with --camera: a sensor has the table's clock");
    request.rotation = rotation->file;
    request.rotation_how = rotation->how;
    request.rotation_rate_hz = rotation->how.rate_hz;
    request.rotation_start_s = rotation->setup.start_s;
    request.rotation_correlate = rotation->setup.correlate;
}

void run_import(const ImportOptions& options) {
    conclude::ImportRequest request;
    request.experiment = options.file;
    request.motion = options.motion;
    take_rotation(options, request);
    request.out = options.out;
    if (!options.displacement.empty()) request.displacement = options.displacement;
    request.displacement_check = options.displacement_check == "on";
    request.displacement_shift_max_s = options.displacement_shift_max_s;
    if (options.rate_hz != 0.0) request.motion_rate_hz = options.rate_hz;
    request.start_s = options.start_s;
    request.marker = options.marker;
    for (const std::string& channel : options.channels)
        request.channels.push_back(vendor_files::parse_channel(channel));
    if (request.marker && request.start_s)
        throw files::InputError("--marker: not allowed together with --start: both say where the motion begins");
    request.positions = positions_request(options.positions);
    request.positions_start_given = options.positions.start_s || !options.positions.sync_s.empty();
    const conclude::ConcludedRun concluded = conclude::import_run(request);
    text::print_out("{}", concluded.text);
    if (!concluded.figures_missing.empty()) throw files::OutputError("figures: " + concluded.figures_missing);
}

/// What is of a single test does not go together with a table, and the other way round.
void refuse_with_table(CLI::App& command) {
    CLI::Option* table = command.get_option("--experiment");
    for (CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name();
        if (name == "--members" || name == "--threads" || name == "--json")
            option->needs(table);
        else if (name.starts_with("--") && name != "--experiment" && name != "--out" && name != "--help")
            option->excludes(table);
    }
}

/// A table of tests, or the motion of one.
void run_either(const ImportOptions& options) {
    if (!options.table.experiment.empty()) return run_import_table(options.file, options.table, options.out);
    if (options.motion.empty() && is_outcome_table(options.file))
        throw files::InputError(options.file +
                                ": a table of tests? Then add --experiment FILE, the experiment that its rows vary; of "
                                "a single test, write the experiment file here and --motion CSV");
    if (options.motion.empty()) throw files::InputError("--motion is required: the platen's motion");
    run_import(options);
}

}  // namespace

void add_import(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "import", "Make a run folder from a test that other software drove, or score a table of tests");
    const auto options = std::make_shared<ImportOptions>();
    command->add_option("FILE", options->file, "Experiment file: specimen and planned excitation; or a table of tests")
        ->required()
        ->type_name("FILE");
    command->add_option("--motion", options->motion, "Platen: time_s, displacement_mm and/or acceleration_g, ...")
        ->type_name("CSV");
    command->add_option("--out", options->out, "Run folder to create")->type_name("DIR");
    command->add_option("--rate", options->rate_hz, "Sampling rate of a motion file without time")
        ->transform(number_above_zero())
        ->type_name("HZ");
    command
        ->add_option(
            "--start", options->start_s,
            "Time in the motion file at which the excitation began (default: where the planned motion is found)")
        ->transform(any_number())
        ->type_name("S");
    command
        ->add_option(
            "--channel", options->channels,
            "Of a motion file of any software (.lvm, .mat, text): QUANTITY=COLUMN[,unit=U][,sign=-1][,offset=N]"
            "[,scale=N]; quantities: time, displacement, acceleration, rotation_0 ...; once per channel")
        ->transform(readable([](const std::string& text) { vendor_files::parse_channel(text); }))
        ->type_name("QUANTITY=COLUMN,...");
    command->add_flag("--marker", options->marker,
                      "The motion was exported with a start marker (plan --export --marker): align by it");
    command
        ->add_option(
            "--displacement", options->displacement,
            "Platen's displacement from another instrument, where --motion has its acceleration alone: time_s, "
            "displacement_mm")
        ->type_name("CSV");
    command
        ->add_option("--displacement-check", options->displacement_check,
                     "With displacement and acceleration: find bias, gain and sign of the acceleration by the "
                     "displacement and fuse both, or refuse (default: on)")
        ->transform(one_of({"on", "off"}))
        ->type_name("on|off");
    command
        ->add_option("--displacement-shift-max", options->displacement_shift_max_s,
                     "Time by which the two channels may be apart (default: 0.05)")
        ->transform(number_between(0.0, 10.0))
        ->type_name("S");
    command->add_flag("--camera", options->camera, "The rotation was measured by a camera");
    add_rotation_options(*command, options->rotation);
    add_positions_options(*command, options->positions);
    command->footer(
        "Example:\n  topple import docs/examples/b6l_sine.toml --motion table.csv --rotation block.csv "
        "--start 2.0\n"
        "  topple import docs/examples/tests_of_b6l.csv --experiment docs/examples/b6l_sine.toml");
    add_import_table_options(*command, options->table);
    refuse_with_table(*command);
    command->callback([options] { run_either(*options); });
}

}  // namespace topple::hil::cli
