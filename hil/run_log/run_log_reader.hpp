// The log of a run, read back: whole, torn or damaged.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "hil/run_log/records.hpp"
#include "hil/run_log/topic.hpp"

namespace topple::hil::run_log {

/// `run`: run.mcap, or the folder that holds it. Throws InputError if there is none.
std::filesystem::path run_log_path(const std::filesystem::path& run);

/// Everything that can be read; `torn`, `damage` and `data_whole` say what is missing. Reads `run` as run_log_path
/// does. Throws InputError if the file cannot be opened, is not an MCAP file at all, or is compressed in an unknown
/// way.
RunData read_run_log(const std::filesystem::path& run);

/// One record of a log: which of its topic.
struct LogPlace {
    Topic topic = Topic::event;
    std::size_t index = 0;  ///< in the vector of RunData that belongs to the topic
};
/// The same with the order of the file. Feedback, events and timing stand in the order in which they were logged;
/// setpoints and predictions are filed in chunks of their own.
struct OrderedRun {
    RunData run;
    std::vector<LogPlace> order;
};
OrderedRun read_run_log_in_order(const std::filesystem::path& run);

}  // namespace topple::hil::run_log
