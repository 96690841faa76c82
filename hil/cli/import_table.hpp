// topple import TABLE.csv --experiment FILE: tests done before, predicted and scored.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace topple::hil::cli {

struct ImportTableOptions {
    std::string experiment;   ///< the template; empty: no table is imported
    std::size_t members = 0;  ///< of each row's ensemble; 0: 200, or those of the members table
    unsigned threads = 0;
    bool json = false;
};
/// Adds --experiment, --members, --threads and --json to `import`.
void add_import_table_options(CLI::App& command, ImportTableOptions& options);

/// Is the file a table of tests rather than an experiment? By its content. Throws InputError if it cannot be read.
bool is_outcome_table(const std::string& file);

/// For `command` with both. Throws InputError if one is not what it should be, or they are exchanged.
void require_table_and_experiment(const std::string& command, const std::string& table, const std::string& experiment);

/// `out`: folder, or empty. Throws InputError as the rooms below do, and for a table and an experiment exchanged.
void run_import_table(const std::string& table, const ImportTableOptions& options, const std::string& out);

}  // namespace topple::hil::cli
