// The log of a run, read back: whole, torn or damaged.
#pragma once

#include <filesystem>

#include "hil/run_log/records.hpp"

namespace topple::hil::run_log {

/// `run`: run.mcap, or the folder that holds it. Throws InputError if there is none.
std::filesystem::path run_log_path(const std::filesystem::path& run);

/// Everything that can be read; `torn`, `damage` and `data_whole` say what is missing. Reads `run` as run_log_path
/// does. Throws InputError if the file cannot be opened, is not an MCAP file at all, or is compressed in an unknown
/// way.
RunData read_run_log(const std::filesystem::path& run);

}  // namespace topple::hil::run_log
