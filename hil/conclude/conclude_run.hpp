// After the test: reads a run folder, compares, and writes summary.json, the figures and report.html.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hil/compare/conclusion.hpp"
#include "hil/conclude/positions_file.hpp"
#include "hil/conclude/rotation_file.hpp"

namespace topple::hil::conclude {

struct ConcludeOptions {
    /// Hidden parameters of a simulated specimen (a JSON value), written into summary.json and the report
    /// only after the comparison was made. Left out: what an earlier conclusion of the same folder revealed
    /// stays.
    std::optional<std::string> truth_json;
    bool figures = true;
    std::size_t members = plan::kTestEnsemble;  ///< of the ensembles by which the test is judged
    /// Added to mark.json, once everything that is there could be read.
    std::vector<compare::OperatorMark> marks{};
    /// What a camera saw of an assembly; kept in the folder once it could be read and laid onto the test.
    std::optional<PositionsRequest> positions{};
    /// What a camera saw of blocks that rock; kept in the same way.
    std::optional<RotationRequest> rotation{};
};

struct ConcludedRun {
    compare::Conclusion conclusion;
    std::vector<std::string> damage;  ///< of the log, whether data are missing or only its index; for the operator
    std::string text;                 ///< about ten lines for a person, ends with a newline
    std::string figures_missing;      ///< why there are no figures; empty if they were made (exit code 1 otherwise)
};

/// Everything that conclude_run() would conclude, in memory; no file is written. Throws InputError.
compare::Conclusion read_conclusion(const std::filesystem::path& run_folder);

/// The summary that conclude_run() without options would write now; no file is written. Throws InputError.
std::string read_summary(const std::filesystem::path& run_folder);

/// Reads experiment.toml, machine.toml, prediction.json, mark.json, positions.csv and camera.csv (where they are there)
/// and run.mcap; writes summary.json, report.html and figures/. May be repeated; the same input gives the same
/// output. A stopped or faulted run is concluded as such. Throws InputError, and then nothing has been written, for a
/// folder that is not a run, a log that cannot be read, and files that are not those of the test (their hash is in the
/// log); OutputError if the summary or the report cannot be written (the figures' failure is only reported).
ConcludedRun conclude_run(const std::filesystem::path& run_folder, const ConcludeOptions& options = {});

}  // namespace topple::hil::conclude
