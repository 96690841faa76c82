// The one description of what is exported of a run: its tables, from which every format is written.
#pragma once

#include <filesystem>
#include <vector>

#include "hil/exports/run_table.hpp"
#include "hil/run_log/records.hpp"

namespace topple::hil::exports {

/// Setpoint, feedback, prediction, events and timing, in this order; docs/export.md has their columns. `log` is where
/// the run was read from: an old log without scales takes them from the machine file beside it. The columns read `run`,
/// which must outlive them. Throws InputError for a machine file that cannot be read.
std::vector<RunTable> run_tables(const run_log::RunData& run, const std::filesystem::path& log);

}  // namespace topple::hil::exports
