// When, by whom and where a test was made: what a reader of its report wants to know first.
#pragma once

#include <optional>
#include <string>

#include "hil/experiment/experiment.hpp"
#include "hil/run_log/records.hpp"

namespace topple::hil::compare {

/// Empty: not known (an imported test has no date of its own).
struct RunOrigin {
    std::string date;         ///< ISO 8601 with offset, of t = 0 or of the first feedback: "2026-03-01T14:02:11+01:00"
    std::string time_zone;    ///< "CET (UTC+01:00)"
    std::string operated_by;  ///< [notes] operator of the experiment, else who was logged in
    std::string machine;      ///< name of the table, with its serial number if it reports one
    std::string computer;
    std::optional<experiment::Calibration> calibration;  ///< of the machine file as run
};

/// From the log's clock record and metadata.
RunOrigin origin_of(const experiment::Experiment& experiment, const run_log::RunData& run);

}  // namespace topple::hil::compare
