// topple export: the log of a run in other formats.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/exports/export_csv.hpp"
#include "hil/exports/export_file.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

struct ExportOptions {
    std::string run, format = "csv", out;
    bool force = false;
};

exports::Exported export_in_format(const ExportOptions& options) {
    if (options.format == "csv") {
        if (options.force) throw files::InputError("--force: csv is written into a new folder; give another --out");
        return exports::export_csv(options.run, options.out);
    }
    const exports::ExportTarget target{options.out, options.force ? files::Overwrite::allow : files::Overwrite::refuse};
    return options.format == "hdf5" ? exports::export_hdf5(options.run, target)
                                    : exports::export_mat(options.run, target);
}

void run_export(const ExportOptions& options) {
    const exports::Exported done = export_in_format(options);
    for (const std::string& damage : done.damage) text::tell("topple: the log is damaged: {}\n", damage);
    text::print_out("{}\n", done.place.string());
}

}  // namespace

void add_export(CLI::App& app) {
    CLI::App* command = app.add_subcommand("export", "Write a run for other software: CSV, HDF5, MATLAB");
    const auto options = std::make_shared<ExportOptions>();
    command->add_option("RUN", options->run, "Run folder, or its run.mcap")->required()->type_name("RUN");
    command
        ->add_option("--format", options->format,
                     "csv: a folder with a file for each topic; hdf5: one HDF5 file; mat: one MATLAB file (level 5)")
        ->check(one_of({"csv", "hdf5", "mat"}))
        ->type_name("WORD")
        ->capture_default_str();
    command->add_option("--out", options->out, "New folder or file (default: csv, run.h5 or run.mat beside the log)")
        ->type_name("PATH");
    command->add_flag("--force", options->force, "Allow overwriting the file (not with csv)");
    command->footer(
        "Examples:\n  topple export runs/20240607T101500Z_b6l\n"
        "  topple export runs/20240607T101500Z_b6l --format mat --out b6l.mat");
    command->callback([options] { run_export(*options); });
}

}  // namespace topple::hil::cli
