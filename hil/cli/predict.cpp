// topple predict: what the solver says about an experiment.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/waiting_line.hpp"
#include "hil/experiment/models.hpp"
#include "hil/files/drawn_figure.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "hil/plan/assembly_prediction.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/plan/prediction_json.hpp"
#include "hil/plan/prediction_text.hpp"
#include "hil/plan/side_by_side.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using files::Overwrite;

constexpr std::size_t kMembersMax = 1'000'000;
constexpr unsigned kThreadsMax = 1024;

struct PredictOptions {
    std::string file, history, figure;
    bool json = false, all_impacts = false, force = false;
    plan::PredictionRequest request;
};

/// OUT.csv of the first specimen; OUT_1.csv, OUT_2.csv of the others.
std::filesystem::path history_name(const std::string& file, std::size_t specimen) {
    if (specimen == 0) return file;
    std::filesystem::path name = file;
    const std::string extension = name.extension().string();
    name.replace_extension();
    name += fmt::format("_{}{}", specimen, extension);
    return name;
}

constexpr const char* kAllModels = "all";

/// "64 blocks by contact_dynamics": what one is waiting for.
std::string waiting_text(const experiment::Experiment& experiment, const std::string& model) {
    std::size_t blocks = experiment.assembly ? experiment.assembly->blocks.size() : 0;
    for (const solver::Specimen& specimen : experiment.specimens) blocks += specimen.blocks.size();
    return fmt::format("{} block{} by {}", blocks, blocks == 1 ? "" : "s",
                       experiment.assembly ? "exact events"
                       : model.empty()     ? experiment.model
                                           : model);
}

/// What only one model can do is refused.
void run_side_by_side(const PredictOptions& options) {
    if (!options.history.empty() || !options.figure.empty() || options.request.ensemble > 0 ||
        options.request.after_validity || options.all_impacts)
        throw files::InputError(
            "--model all: not together with --history, --figure, --ensemble, --after-validity or --all-impacts");
    const experiment::Experiment experiment = experiment::read_experiment_for(options.file, "contact_dynamics");
    decltype(plan::predict_by_all_models(experiment)) answers;
    with_waiting_line(waiting_text(experiment, "all models"),
                      [&] { answers = plan::predict_by_all_models(experiment); });
    text::print_out("{}", options.json ? plan::side_by_side_json(experiment, answers)
                                       : plan::side_by_side_text(experiment, answers));
}

void run_predict(PredictOptions options) {
    if (options.request.model == kAllModels) return run_side_by_side(options);
    const experiment::Experiment experiment = experiment::read_experiment_for(options.file, options.request.model);
    if (experiment.assembly &&
        (!options.request.model.empty() || options.request.ensemble > 0 || options.request.after_validity))
        throw files::InputError(options.file +
                                ": an assembly has equations of its own and no ensemble: leave out --model, --ensemble "
                                "and --after-validity");
    // A table of members is the ensemble: nothing else is left to choose.
    if (!experiment.assembly && options.request.ensemble == 0)
        options.request.ensemble = experiment.uncertainty.members ? experiment.uncertainty.members->rows.size() : 0;
    const Overwrite overwrite = options.force ? Overwrite::allow : Overwrite::refuse;
    const std::size_t histories = options.history.empty() ? 0 : std::max<std::size_t>(1, experiment.specimens.size());
    for (std::size_t i = 0; i < histories; ++i)
        files::require_writable_name(history_name(options.history, i), overwrite);
    if (!options.figure.empty()) {
        if (!experiment.assembly)
            throw files::InputError("--figure: draws the paths of an assembly's blocks; the file has no assembly");
        if (options.figure == options.history)
            throw files::InputError("--figure and --history: the same file; choose different names");
        files::require_figure_name(options.figure);
        files::require_writable_name(options.figure, overwrite);
    }
    if (histories > 0 || !options.figure.empty()) options.request.history_step_s = plan::history_step_s(experiment);

    plan::ExperimentPrediction prediction;
    with_waiting_line(waiting_text(experiment, options.request.model),
                      [&] { prediction = plan::predict_experiment(experiment, options.request); });
    for (const std::string& remark : plan::prediction_remarks(experiment, prediction))
        text::tell("topple: {}\n", remark);
    for (const std::string& failure : plan::failure_remarks(prediction)) text::tell("topple: {}\n", failure);
    text::print_out("{}", options.json
                              ? plan::prediction_json(experiment, prediction,
                                                      options.all_impacts ? std::numeric_limits<std::size_t>::max()
                                                                          : plan::kImpactsListed)
                              : plan::prediction_text(experiment, prediction));
    if (prediction.assembly) {
        if (histories > 0)
            files::write_file(options.history,
                              plan::assembly_history_csv(*prediction.assembly, experiment.assembly->blocks.size()),
                              overwrite);
        if (!options.figure.empty())
            plan::draw_assembly(experiment.name, *experiment.assembly, *prediction.assembly, options.figure);
        if (prediction.assembly->status != solver::SolverStatus::ok)
            throw files::NoOutcomeError(
                fmt::format("{}: followed until {:.6g} s only", options.file, prediction.assembly->end_time_s));
        return;
    }
    for (std::size_t i = 0; i < histories; ++i) {
        const std::string text = i < prediction.specimens.size() ? plan::history_csv(prediction.specimens[i].prediction)
                                                                 : plan::history_csv({});
        files::write_file(history_name(options.history, i), text, overwrite);
    }
    const auto& all = prediction.specimens;
    if (std::any_of(all.begin(), all.end(),
                    [](const plan::SpecimenPrediction& one) { return !one.prediction.outcome; }))
        throw files::NoOutcomeError(
            fmt::format("{}: no outcome: the result shows what happened until then, not how it ends", options.file));
}

std::vector<std::string> names_and_all() {
    std::vector<std::string> names = experiment::model_names();
    names.push_back(kAllModels);
    return names;
}

}  // namespace

void add_predict(CLI::App& app) {
    CLI::App* command = app.add_subcommand("predict", "Predict what the specimen will do on the planned motion");
    const auto options = std::make_shared<PredictOptions>();
    command->add_option("FILE", options->file, "Experiment file (TOML)")->required()->type_name("FILE");
    command->add_flag("--json", options->json, "Print topple.prediction/1 instead of text");
    command->add_flag("--all-impacts", options->all_impacts,
                      fmt::format("With --json: list every impact, not only the first {}", plan::kImpactsListed));
    command->add_option("--history", options->history, "Write rotations, rates and supports over time to this CSV file")
        ->type_name("OUT.csv");
    command
        ->add_option("--figure", options->figure,
                     "Of an assembly: draw the paths of its blocks and the index of inertia (.svg or .png)")
        ->type_name("OUT");
    command
        ->add_option("--ensemble", options->request.ensemble,
                     "Predict N random samples of what is uncertain ([uncertainty] of the file): probabilities; "
                     "default: none, or all members of the table that the file names")
        ->transform(whole_number(1, kMembersMax))
        ->type_name("N");
    command->add_option("--seed", options->request.seed, "Seed of the ensemble; default: the file's, or 1")
        ->transform(whole_number())
        ->type_name("N");
    command
        ->add_option(
            "--model", options->request.model,
            fmt::format("One of: {}; all: every one that covers it, side by side; default: the file's, or full",
                        fmt::join(experiment::model_names(), ", ")))
        ->check(one_of(names_and_all()))
        ->type_name("NAME");
    command
        ->add_option_function<std::string>(
            "--after-validity", [options](const std::string&) { options->request.after_validity = true; },
            "Where the full model leaves its validity (a contact would pull, jump or slip), go on with this model")
        ->check(one_of({"contact_dynamics"}))
        ->type_name("contact_dynamics");
    command->add_option("--threads", options->request.threads, "Threads of the ensemble; default: one per processor")
        ->transform(whole_number(1, kThreadsMax))
        ->type_name("N");
    command->add_flag("--force", options->force, "Allow overwriting history file and figure");
    command->footer("Example:\n  topple predict docs/examples/b6l_sine.toml --ensemble 200 --history b6l.csv");
    command->callback([options] { run_predict(*options); });
}

}  // namespace topple::hil::cli
