// topple plan --export: the planned motion as a file for the maker's software.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "hil/files/output_file.hpp"
#include "hil/plan/motion_export.hpp"

namespace topple::hil::cli {

/// As asked for on the command line.
struct MotionSeries {
    std::string file;     ///< empty: none. Its ending says the format
    std::string columns;  ///< with commas between them; empty: all
    plan::ExportRequest request;
};

/// --export and what belongs to it. `series` must outlive the command.
void add_series_options(CLI::App& command, MotionSeries& series);

/// Throws InputError unless the ending is .mat, .txt, .tab or .at2, or if there is no file but one of the other
/// options.
void require_series(const MotionSeries& series);

/// AT2 is in g and of the acceleration, whatever was asked. Returns what was written, for the operator. Throws
/// InputError, OutputError.
std::string write_series(const MotionSeries& series, const experiment::Experiment& experiment,
                         const plan::MotionPlan& plan, files::Overwrite overwrite);

}  // namespace topple::hil::cli
