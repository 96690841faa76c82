// What the operator must learn from the last line and the exit code of a run, after everything has been saved.
#pragma once

#include <string>

#include "hil/drive/drive_experiment.hpp"

namespace topple::hil::cli {

struct RunEnding {
    std::string folder;           ///< of the run
    std::string stop_signal;      ///< that asked for a stop; empty if none did
    std::string figures_missing;  ///< why the report has none; empty if it has them
    std::string device = "sim:";  ///< URI of the table, for the commands that are advised
};

/// Throws firmware_iface::DeviceError (exit 3) after a stop or fault, OutputError (exit 1) if something could not be
/// written. A failure of the log hides no fault. A remark without consequence goes to standard error.
void report_ending(const drive::DrivenExperiment& result, const RunEnding& ending);

}  // namespace topple::hil::cli
