// topple mark: what the operator saw.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/conclude/conclude_run.hpp"
#include "hil/conclude/mark_file.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using files::InputError;

struct MarkOptions {
    std::string run, outcome, side, discard, marked_by;
    std::vector<std::size_t> blocks;
    std::size_t specimen = 0;
};

void run_mark(const MarkOptions& options) {
    if (options.outcome.empty() && options.discard.empty()) throw InputError("mark: give --outcome or --discard");
    if (!std::filesystem::exists(std::filesystem::path(options.run) / "experiment.toml"))
        throw InputError(fmt::format("{}: not a run folder (no experiment.toml)", options.run));
    compare::OperatorMark mark{.specimen = options.specimen, .outcome = {}, .side = {}, .discard_reason = {}};
    if (!options.outcome.empty()) mark.outcome = conclude::parse_outcome(options.outcome);
    mark.blocks_overturned = options.blocks;
    if (!options.side.empty()) mark.side = conclude::parse_side(options.side);
    if (!options.discard.empty()) mark.discard_reason = options.discard;
    conclude::stamp(mark, options.marked_by);
    if (conclude::is_unrecorded(options.run)) {
        conclude::mark_unrecorded(options.run, mark);
        text::print_out("marked; this test was made by hand, there is no log to evaluate again\n");
        return;
    }
    conclude::ConcludeOptions conclude;
    conclude.marks = {mark};
    const conclude::ConcludedRun concluded = conclude::conclude_run(options.run, conclude);
    for (const std::string& damage : concluded.damage) text::tell("topple: the log is damaged: {}\n", damage);
    text::print_out("{}", concluded.text);
    if (!concluded.figures_missing.empty()) throw files::OutputError("figures: " + concluded.figures_missing);
}

}  // namespace

void add_mark(CLI::App& app) {
    CLI::App* command = app.add_subcommand("mark", "Record what the operator saw, and evaluate the run again");
    const auto options = std::make_shared<MarkOptions>();
    command->add_option("RUN", options->run, "Run folder")->required()->type_name("RUN");
    command
        ->add_option("--outcome", options->outcome,
                     "T (translation), S (sliding), R (rocking) or O (overturning); of a stack P (partial) or D (total "
                     "overturning) "
                     "instead of O")
        ->check(readable([](const std::string& text) { conclude::parse_outcome(text); }).name("T|S|R|O|P|D"))
        ->type_name("T|S|R|O|P|D");
    command->add_option("--blocks", options->blocks, "The blocks that fell, counted from 0 at the bottom: 1,2")
        ->delimiter(',')
        ->transform(whole_number())
        ->type_name("I,...");
    command
        ->add_option("--side", options->side,
                     "left or right (+x): the side to which it fell or on which it lifted first")
        ->check(readable([](const std::string& text) { conclude::parse_side(text); }).name("left|right"))
        ->type_name("left|right");
    command->add_option("--discard", options->discard, "The test is not to be judged, for this reason")
        ->type_name("REASON");
    command->add_option("--operator", options->marked_by, "Who saw it; default: who is logged in")->type_name("PERSON");
    command->add_option("--specimen", options->specimen, "Which one, counted from 0 in file order")
        ->transform(whole_number())
        ->type_name("I");
    command->footer("Example:\n  topple mark runs/20250101T120000Z_b6l_sine --outcome O --side right");
    command->callback([options] { run_mark(*options); });
}

}  // namespace topple::hil::cli
