// A run that is over, as the page shows it: whole, torn, or what is left of it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hil/live/live_server.hpp"
#include "hil/page/stored_log.hpp"

namespace topple::hil::page {

struct FinishedRun {
    std::string description;            ///< JSON: the keys of docs/live.md and those of docs/page.md
    std::shared_ptr<SharedLog> log;     ///< null: there is none that can be read
    std::vector<std::string> problems;  ///< what cannot be shown, and why
    bool is_anything = false;           ///< there is a log or a description of a test
};

/// `run`: a run folder, or a log by itself. Never throws for what is in it. `label`: how the page names it.
FinishedRun finished_run(const std::filesystem::path& run, const std::string& label);

/// Channels of the run with the prefix "/1", "/2"...
std::vector<live::Channel> channels_of(const FinishedRun& run, const std::string& prefix);

}  // namespace topple::hil::page
