// topple fit: what tests teach of a specimen.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/fit_free_rocking.hpp"
#include "hil/cli/fit_table.hpp"
#include "hil/cli/waiting_line.hpp"
#include "hil/files/drawn_figure.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "hil/host/host_identity.hpp"
#include "hil/learn/learned_document.hpp"
#include "hil/learn/learning.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using files::InputError;
using files::Overwrite;

constexpr std::uint64_t kDrawsMin = 100, kDrawsMax = 100'000;

struct LearnOptions {
    std::vector<std::string> runs;
    std::string prior, out, figure;
    std::optional<std::uint64_t> draws;
    std::uint64_t seed = 1;
    unsigned threads = 0;
    bool json = false, force = false;
    FitTableOptions table;
};

/// Belief before the runs: the file, or what the first run's experiment says.
void take_prior(const LearnOptions& options, learn::LearningRequest& request) {
    const experiment::Experiment& first = request.runs.front().experiment;
    if (first.uncertainty.members)
        throw InputError(
            fmt::format("{}: [uncertainty] members: a fit of runs starts from distributions; allowed: "
                        "without members",
                        request.runs.front().folder.string()));
    const auto take_runs = [&](const experiment::LearnedPrior& prior) { request.prior_runs = prior.run_sha256; };
    if (options.prior.empty()) {
        const auto& uncertainty = first.uncertainty;
        request.prior = uncertainty.of;
        request.prior_source = fmt::format("[uncertainty] of {}", request.runs.front().folder.string());
        if (!uncertainty.prior) return;
        request.prior_source += ", learned: " + experiment::prior_words(*uncertainty.prior);
        take_runs(*uncertainty.prior);
        return;
    }
    const experiment::LearnedPrior prior = experiment::read_learned_prior(options.prior);
    if (const std::string why = experiment::not_of(prior, request.runs.front().specimen()); !why.empty())
        throw InputError(fmt::format("--prior {}: learned on another specimen: {}", options.prior, why));
    request.prior = first.uncertainty.of;  // of what the file does not hold
    for (const solver::SpecimenParameter parameter : prior.learned)
        distribution_of(request.prior, parameter) = distribution_of(prior.of, parameter);
    request.prior.correlation = prior.of.correlation;
    request.prior_source = experiment::prior_words(prior);
    take_runs(prior);
}

void run_learning(const LearnOptions& options) {
    const Overwrite overwrite = options.force ? Overwrite::allow : Overwrite::refuse;
    for (const std::string& file : {options.figure, options.out})
        if (!file.empty()) files::require_writable_name(file, overwrite);
    if (!options.figure.empty()) files::require_figure_name(options.figure);
    if (options.draws && *options.draws < kDrawsMin)
        throw InputError(fmt::format("--draws {}: at least {} are required", *options.draws, kDrawsMin));
    learn::LearningRequest request;
    for (const std::string& run : options.runs) request.runs.push_back(learn::read_evidence(run));
    take_prior(options, request);
    if (options.draws) request.sampling.draws_per_stage = static_cast<Eigen::Index>(*options.draws);
    request.sampling.seed = options.seed;
    request.threads = options.threads;
    learn::Learning learning;
    with_waiting_line(fmt::format("learning from {} run{}", options.runs.size(), options.runs.size() == 1 ? "" : "s"),
                      [&] { learning = learn::learn(std::move(request)); });
    text::print_out("{}", options.json ? learn::learning_json(learning) : learn::learning_text(learning));
    if (!options.figure.empty()) learn::draw_learning(learning, options.figure);
    if (options.out.empty()) {
        text::tell("topple: nothing was written; --out learned.toml keeps it for [uncertainty] prior\n");
        return;
    }
    files::write_file(options.out, learn::learned_toml(learning, host::utc_time_now()), overwrite);
    text::tell("topple: {} written; an experiment of this specimen uses it with [uncertainty] prior = \"{}\"\n",
               options.out, options.out);
}

void add_options(CLI::App& command, LearnOptions& options) {
    command.add_option("RUN", options.runs, "Run folders of one specimen; or a table of tests, with --experiment")
        ->type_name("RUN");
    command
        .add_option("--prior", options.prior, "What an earlier fit learned (default: [uncertainty] of the first run)")
        ->type_name("FILE.toml");
    command
        .add_option("--out", options.out,
                    "Write what was learned to this file, for [uncertainty] prior; of a table also a folder")
        ->type_name("OUT.toml");
    command.add_option("--figure", options.figure, "Draw prior and posterior to this .svg or .png file")
        ->type_name("OUT");
    command.add_option("--draws", options.draws, "Draws per stage; default 400, of a table 200")
        ->transform(whole_number(1, kDrawsMax))
        ->type_name("N");
    command.add_option("--seed", options.seed, "Of the draws; default 1")->transform(whole_number())->type_name("N");
    command.add_option("--threads", options.threads, "Default: one per processor")
        ->transform(whole_number(1, 1024))
        ->type_name("N");
    command.add_flag("--json", options.json, "Print topple.learning/1 instead of text; of a table summary.json");
    command.add_flag("--force", options.force, "Allow overwriting");
    add_fit_table_options(command, options.table);
}

/// What is of runs does not go together with a table, and the other way round.
void refuse_with_table(CLI::App& command) {
    CLI::Option* table = command.get_option("--experiment");
    for (const char* of_table : {"--parameters", "--members", "--lapse", "--draws-per-test", "--folds", "--learn-from"})
        command.get_option(of_table)->needs(table);
    for (const char* of_runs : {"--figure", "--force"}) command.get_option(of_runs)->excludes(table);
}

bool is_file(const std::string& name) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(name, ignored);
}

/// A table of tests, or runs.
void run_either(const LearnOptions& options) {
    if (options.table.experiment.empty()) {
        if (options.runs.size() == 1 && is_file(options.runs.front()))
            throw InputError(options.runs.front() +
                             ": a file and no run folder. A table of tests? Then add --experiment FILE, the experiment "
                             "that its rows vary");
        return run_learning(options);
    }
    if (options.runs.size() != 1)
        throw InputError(fmt::format("fit --experiment: {} tables; give one", options.runs.size()));
    run_fit_table(options.runs.front(), options.table,
                  {options.prior, options.out, options.draws, options.seed, options.threads, options.json});
}

}  // namespace

void add_fit(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("fit", "What runs or a table of tests teach of their specimen; free rocking of a block");
    command->require_subcommand(0, 1);
    const auto options = std::make_shared<LearnOptions>();
    add_options(*command, *options);
    refuse_with_table(*command);
    add_fit_free_rocking(*command);
    command->footer(
        "Examples:\n  topple fit runs/20250101T120000Z_b6l runs/20250101T121000Z_b6l --out b6l.learned.toml\n"
        "  topple fit docs/examples/outcomes_of_b6l.csv --experiment docs/examples/b6l_outcomes.toml --out b6l_fit\n"
        "  topple fit free-rocking full.csv --width-m 0.06 --height-m 0.27");
    // Before free-rocking begins: what stands in front of it would be lost.
    command->parse_complete_callback([command] {
        if (command->get_subcommands().empty()) return;
        const std::string& name = command->get_subcommands().front()->get_name();
        for (const CLI::Option* option : command->get_options())
            if (option->count() > 0 && option->get_name() != "--help")
                throw InputError(fmt::format("fit: {} before the command {} belongs to fit RUN; write it after {}",
                                             option->get_name(), name, name));
    });
    command->callback([options, command] {
        if (!command->get_subcommands().empty()) return;
        if (options->runs.empty())
            throw InputError(
                "fit: give run folders (fit RUN ...), a table of tests (fit TABLE.csv --experiment FILE), or the "
                "command free-rocking with its records");
        run_either(*options);
    });
}

}  // namespace topple::hil::cli
