// summary.json: what a script or a campaign wants to know of a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hil/compare/conclusion.hpp"

namespace topple::hil::report {

/// What the conclusion itself does not know: files and their identity.
struct RunIdentity {
    std::map<std::string, std::string> metadata;  ///< of the log: versions, seed, device
    std::map<std::string, std::string> sha256;    ///< hex per file name of the run folder
    bool prediction_is_frozen = false;            ///< prediction.json has the hash that the log begins with
    std::string prediction_json;                  ///< as written before the motion; empty if there was none
    std::string learned_drive_json;               ///< of a test with [table] iterate; else empty
    std::vector<std::string> flight_files;        ///< the last ticks before a stop or fault
    std::string log_damage;                       ///< what is missing in a damaged log; empty if complete
    std::string truth_json;                       ///< hidden parameters of a simulated specimen; empty: not revealed
    std::string figures_missing;                  ///< why there are none; empty if they were made
};

/// Schema topple.summary/1, documented in docs/report.md#summary. Ends with a newline. Locale independent.
std::string summary_json(const compare::Conclusion& conclusion, const RunIdentity& identity);

}  // namespace topple::hil::report
