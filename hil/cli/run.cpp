// topple run: one test, predicted, driven, logged, compared, reported.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "controller/rt/thread_setup.hpp"
#include "firmware_iface/transport/byte_stream.hpp"
#include "hil/campaign/campaign.hpp"
#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/consent.hpp"
#include "hil/cli/live_option.hpp"
#include "hil/cli/progress_line.hpp"
#include "hil/cli/run_campaign.hpp"
#include "hil/cli/run_ending.hpp"
#include "hil/cli/run_replay.hpp"
#include "hil/cli/signals.hpp"
#include "hil/conclude/conclude_run.hpp"
#include "hil/drive/drive_experiment.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/plan/motion_plan.hpp"
#include "hil/plan/prediction_json.hpp"
#include "hil/plan/prediction_text.hpp"
#include "hil/sim_table/truth_json.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using text::print_out;
using text::tell;

struct RunOptions {
    std::string file, out, device, faults;
    std::optional<int> processor, iterate;
    std::optional<double> speed;
    LiveChoice live;
    bool dry_run = false, yes = false, json = false, resume = false;
};

// Everything that can be said without a table.
void run_dry(const experiment::Experiment& experiment, bool json) {
    const drive::RunPlan plan = drive::plan_run(experiment);
    for (const std::string& failure : plan::failure_remarks(plan.prediction)) tell("topple: {}\n", failure);
    for (const std::string& remark : plan::elsewhere_remarks(experiment, plan.prediction)) tell("topple: {}\n", remark);
    if (json) {
        print_out("{}", plan::prediction_json(experiment, plan.prediction));
        return;
    }
    print_out("{}{}", plan::plan_text(experiment, plan::plan_motion(experiment)),
              plan::prediction_text(experiment, plan.prediction));
    print_out("dry run: no table was opened, nothing has been written\n");
}

void require_processor(int processor) {
    const std::vector<int> allowed = controller::allowed_processors();
    if (std::find(allowed.begin(), allowed.end(), processor) == allowed.end())
        throw files::InputError(
            fmt::format("--cpu {}: this program may run on processors {}", processor, fmt::join(allowed, ", ")));
}

bool is_replay(const std::string& device) { return device.starts_with(kReplay); }

void require_replay_alone(const RunOptions& options) {
    const auto refuse = [](const char* option) {
        throw files::InputError(
            fmt::format("{}: not with --device replay:RUN, which drives nothing and writes nothing", option));
    };
    if (!options.out.empty()) refuse("--out");
    if (!options.faults.empty()) refuse("--faults");
    if (options.resume) refuse("--resume");
    if (options.iterate) refuse("--iterate");
    if (options.json) refuse("--json");
}

void run_run(const RunOptions& options) {
    if (options.processor) require_processor(*options.processor);
    experiment::Experiment experiment = experiment::read_experiment(options.file);
    if (options.iterate) experiment.table.iterate = *options.iterate;
    drive::DriveOptions test;
    if (!options.faults.empty()) test.faults = sim_table::read_fault_script(options.faults);
    test.device = options.device.empty() ? experiment.table.device : options.device;
    const bool is_played_again = is_replay(test.device) && !options.dry_run;
    if (is_played_again) require_replay_alone(options);
    if (test.device != "sim:" && !is_replay(test.device)) firmware_iface::require_device_name(test.device);
    if (options.speed && test.device != "sim:" && !is_replay(test.device))
        throw files::InputError(fmt::format("--speed: not with {}: a real table has its own time", test.device));
    test.pace = options.speed;
    if (options.resume && !experiment.campaign)
        throw files::InputError(fmt::format("--resume: {} has no [campaign]", options.file));
    if (options.iterate && experiment.campaign)
        throw files::InputError("--iterate: not with [campaign]; write [table] iterate into the file");
    if (options.dry_run && experiment.campaign && options.json)
        throw files::InputError("--json: not with --dry-run of a file with [campaign]");
    if (options.dry_run && experiment.campaign) return print_out("{}", campaign::campaign_plan_text(experiment));
    if (options.dry_run) return run_dry(experiment, options.json);

    test.folder = options.out;
    test.yes = options.yes;
    test.processor = options.processor;
    test.consent = [&](const firmware_iface::DeviceInfo& device, const std::string& where) {
        return operator_consent(device, where, {options.yes, experiment.table.prompt});
    };
    test.warn = [](const std::string& warning) { tell("topple: {}\n", warning); };
    LiveShow live(options.live, experiment.name);
    if (is_played_again) return run_replay(experiment, test.device, options.speed, live);
    live.watch(test);
    if (experiment.campaign)
        return run_campaign(experiment, std::move(test), {options.out, options.resume, options.json});
    if (const auto plan = plan::plan_motion(experiment); plan.feasibility.feasible())
        tell("{}", plan.feasibility.text());
    if (const auto& members = experiment.uncertainty.members)
        tell("the ensembles are the members of {}\n", experiment::members_words(*members));
    if (const auto& prior = experiment.uncertainty.prior)
        tell("the ensembles are drawn from what was learned: {}\n", experiment::prior_words(*prior));
    const auto& stop_requested = stop_on_signals();
    drive::DrivenExperiment result;
    {
        ProgressLine line;
        test.note = [](const std::string& note) { tell("learning: {}\n", note); };
        test.planned = [&line, &experiment](const drive::RunPlan& plan) {
            const auto probabilities = plan::outcome_probabilities(plan.prediction);
            for (const std::string& probability : probabilities) tell("predicted {}\n", probability);
            for (const std::string& remark : plan::elsewhere_remarks(experiment, plan.prediction))
                tell("topple: {}\n", remark);
            line.expect(probabilities);
        };
        result = drive::drive_experiment(experiment, test, stop_requested,
                                         [&line](const drive::DriveStatus& status) { line.show(status); });
    }
    if (!result.learned_only.empty())
        return tell(
            "topple: the drive is learned and kept in {}; the passes are in {}; the TEST WAS NOT MADE: press the "
            "emergency "
            "stop, put the specimens on, release and clear, then give the same command again\n",
            result.learned_only, result.folder.string());
    conclude::ConcludeOptions conclude;
    if (result.truth) conclude.truth_json = sim_table::truth_json(*result.truth);
    const conclude::ConcludedRun concluded = conclude::conclude_run(result.folder, conclude);
    for (const std::string& damage : concluded.damage) tell("topple: the log is damaged: {}\n", damage);
    live.announce(concluded.text);
    text::print_text(options.json ? files::read_text_file(result.folder / "summary.json") : concluded.text);
    if (result.truth && !options.json)
        print_out(
            "{:<12}simulated with [simulation] seed = {}: the same seed repeats this test exactly, another one draws "
            "other "
            "hidden differences and noise\n",
            "note", experiment.simulation.seed);
    report_ending(result, {result.folder.string(), stop_signal_name(), concluded.figures_missing, test.device});
}

}  // namespace

void add_run(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("run", "Predict, drive, log, compare and report one test, or the tests of a [campaign]");
    const auto options = std::make_shared<RunOptions>();
    command->add_option("FILE", options->file, "Experiment file (TOML)")->required()->type_name("FILE");
    command->add_option("--out", options->out, "New run folder; default: runs/<UTC>_<name>")->type_name("DIR");
    command
        ->add_option("--device", options->device,
                     "sim: | serial:/dev/ttyACM0 | serial:usb:VID:PID[:SERIAL] | tcp:HOST:PORT | replay:RUN; "
                     "default: [table] device of the file")
        ->type_name("URI");
    command->add_option("--faults", options->faults, "What fails on the simulated table sim: (docs/fault_scripts.md)")
        ->type_name("FILE");
    command
        ->add_option("--cpu", options->processor, "Processor on which alone the 500 Hz cycle of the host runs, from 0")
        ->transform(whole_number(0, 1023))
        ->type_name("N");
    command
        ->add_option("--iterate", options->iterate,
                     "Learn the drive in at most N passes before the test (docs/drive_iteration.md); 0: not; default: "
                     "[table] iterate of the file")
        ->transform(whole_number(0, experiment::kIterateMax))
        ->type_name("N");
    add_live_option(*command, options->live);
    command
        ->add_option(
            "--speed", options->speed,
            "Of sim: and replay:RUN: seconds of the test per second; default: as fast as it can, with --live 1")
        ->transform(number_between(0.01, 1000.0))
        ->type_name("X");
    command->add_flag("--resume", options->resume,
                      "Go on with the campaign in --out DIR; without --out: with the newest one in runs of this file");
    command->add_flag("--dry-run", options->dry_run, "Check and predict only; no table is opened");
    command->add_flag("--yes", options->yes, "Consent on the command line to the motions of a real table");
    command->add_flag("--json", options->json, "Print summary.json (with --dry-run: the prediction) instead of text");
    command->footer(
        "Ctrl-C during a motion is a controlled stop; after the motion it ends the recording, and the test "
        "counts.\nExample:\n  topple run docs/examples/b6l_sine.toml");
    command->callback([options] { run_run(*options); });
}

}  // namespace topple::hil::cli
