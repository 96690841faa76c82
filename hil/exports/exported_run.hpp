// A run as it is exported: its tables, the texts of its folder, and what its log says of itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hil/exports/run_table.hpp"
#include "hil/run_log/records.hpp"

namespace topple::hil::exports {

/// A file of the run folder that is text.
struct Document {
    std::string file;    ///< "experiment.toml"
    std::string name;    ///< "experiment_toml"
    std::string text;    ///< as it is on the disk
    std::string sha256;  ///< of it
};

struct ExportedRun {
    std::filesystem::path log;  ///< the run's run.mcap
    run_log::RunData data;
    std::vector<Document> documents;  ///< those that are there: experiment, machine, faults, prediction, mark, summary
    std::vector<RunTable> tables;     ///< they read `data`

    ExportedRun() = default;
    ExportedRun(const ExportedRun&) = delete;  // the tables would read the other's data
    ExportedRun& operator=(const ExportedRun&) = delete;

    /// Empty if there is none.
    std::string text_of(const std::string& file) const;
};

/// Reads what `run` (a run folder, or its run.mcap) has. Throws InputError if the log cannot be read.
void read_exported_run(const std::filesystem::path& run, ExportedRun& into);

/// What is said with every export, first of the times and of absent values.
inline constexpr const char* kExportRemark =
    "time_s counts from the start of the motion; a value that is absent or not finite is NaN";

}  // namespace topple::hil::exports
