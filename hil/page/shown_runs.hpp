// Everything that `topple show RUN ...` shows: channels and documents of finished runs and campaigns.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hil/live/live_server.hpp"

namespace topple::hil::page {

struct ShownRuns {
    std::vector<live::Channel> channels;
    std::vector<live::Document> documents;  ///< the page, its /test.json, figures of a campaign
    std::vector<std::string> remarks;       ///< what is not shown, and why: for the terminal
    std::size_t run_count = 0;
};

/// Most runs that one server can offer; of a campaign with more the newest.
inline constexpr std::size_t kRunsMax = 200;

/// `paths`: run folders, logs, folders of campaigns. A broken one is shown as far as it can be read. Throws InputError
/// if a path does not exist, if nothing can be shown of any, or for more than kRunsMax runs.
ShownRuns shown_runs(const std::vector<std::filesystem::path>& paths);

}  // namespace topple::hil::page
