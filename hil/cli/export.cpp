// topple export: the log of a run in other formats.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/conclude/export_csv.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

struct ExportOptions {
    std::string run, format = "csv", folder;
};

void run_export(const ExportOptions& options) {
    const conclude::CsvExport done = conclude::export_csv(options.run, options.folder);
    for (const std::string& damage : done.damage) text::tell("topple: the log is damaged: {}\n", damage);
    text::print_out("{}\n", done.folder.string());
}

}  // namespace

void add_export(CLI::App& app) {
    CLI::App* command = app.add_subcommand("export", "Write the log of a run as plain files");
    const auto options = std::make_shared<ExportOptions>();
    command->add_option("RUN", options->run, "Run folder, or its run.mcap")->required()->type_name("RUN");
    command->add_option("--format", options->format, "csv: the only one so far")
        ->check(one_of({"csv"}))
        ->type_name("WORD")
        ->capture_default_str();
    command->add_option("--out", options->folder, "New folder (default: csv beside the log)")->type_name("DIR");
    command->footer("Example:\n  topple export runs/20240607T101500Z_b6l");
    command->callback([options] { run_export(*options); });
}

}  // namespace topple::hil::cli
