// topple recover: the index of a torn log.
#include "hil/run_log/recover.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "hil/cli/commands.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

void run_recover(const std::string& run) {
    const run_log::Recovery recovery = run_log::recover(run);
    if (recovery.was_whole) {
        text::print_out("{}: complete, with {} records; nothing to do\n", recovery.log.string(),
                        recovery.message_count);
        return;
    }
    for (const std::string& damage : recovery.damage) text::tell("topple: the log is damaged: {}\n", damage);
    text::print_out("{}: recovered {} records; {} bytes after the last complete one dropped; original kept as {}\n",
                    recovery.log.string(), recovery.message_count, recovery.bytes_dropped, recovery.original.string());
}

}  // namespace

void add_recover(CLI::App& app) {
    CLI::App* command = app.add_subcommand("recover", "Rebuild the index of the log of a killed run");
    const auto run = std::make_shared<std::string>();
    command->add_option("RUN", *run, "Run folder, or its run.mcap")->required()->type_name("RUN");
    command->footer(
        "The original file is kept beside the new one. Example:\n  topple recover runs/20240607T101500Z_b6l");
    command->callback([run] { run_recover(*run); });
}

}  // namespace topple::hil::cli
