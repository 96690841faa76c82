// What the log of a run is opened with.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "firmware_iface/clock.hpp"
#include "firmware_iface/table_link.hpp"
#include "hil/drive/run_plan.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/run_log/run_log_writer.hpp"

namespace topple::hil::drive {

/// Machine, versions, hashes, device and link: the metadata of the log. `prediction` is the text of prediction.json,
/// `device` the URI.
std::map<std::string, std::string> log_metadata(const experiment::Experiment& experiment, const std::string& prediction,
                                                const firmware_iface::TableLink& link, const std::string& device);

/// Room for the longest test of this plan. `wall_clock_anchor_ns`: Unix time at device time 0.
run_log::RunLogOptions log_options(const experiment::Experiment& experiment, const RunPlan& plan,
                                   const firmware_iface::Clock& clock, std::int64_t wall_clock_anchor_ns);

}  // namespace topple::hil::drive
