// What a run folder says its test was made with: experiment and machine as run, and whether its files are still those.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/run_log/records.hpp"

namespace topple::hil::conclude {

/// The machine as run stands beside the experiment, whatever the experiment's [table] refers to. Throws InputError for
/// a folder that is not a run.
experiment::Experiment read_experiment_as_run(const std::filesystem::path& run_folder);

/// What the test was made with must still be there: a record of the excitation, or experiment and machine file. The
/// latter two may be corrected by hand (a wrong note, a wrong width); each that was is named. Throws InputError for
/// another file of the others.
std::vector<std::string> check_files_of_test(const std::filesystem::path& run_folder, const run_log::RunData& run);

}  // namespace topple::hil::conclude
