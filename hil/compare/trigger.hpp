// When the device's trigger output rose and fell, as its feedback shows.
#pragma once

#include <optional>

#include "hil/run_log/records.hpp"

namespace topple::hil::compare {

/// Times in s after the first setpoint of the motion: of the first feedback that shows the new level. The edge itself
/// is less than one feedback period earlier.
struct TriggerEdges {
    bool asked = false;               ///< [table] trigger = true
    std::optional<double> rose_at_s;  ///< empty: it never rose in this log
    std::optional<double> fell_at_s;  ///< first fall after that
};

TriggerEdges find_trigger_edges(const run_log::RunData& run, bool asked);

}  // namespace topple::hil::compare
