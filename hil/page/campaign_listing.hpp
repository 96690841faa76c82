// A campaign's folder as the page lists it: its tests, its figures.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hil/live/live_server.hpp"

namespace topple::hil::page {

/// Is there a journal of tests and a folder of runs?
bool is_campaign(const std::filesystem::path& folder);

struct CampaignListing {
    std::vector<std::filesystem::path> runs;  ///< folders, in the order of their numbers
    std::string
        description;  ///< JSON: `columns`, `tests` (objects; `shown_run`: number of the run at the page), `figures`
    std::vector<live::Document> figures;
};

/// `first_run`: number that its first run has at the page; at most the newest `runs_max` runs are shown. Throws
/// InputError if tests.csv cannot be read.
CampaignListing campaign_listing(const std::filesystem::path& folder, std::size_t first_run, std::size_t runs_max);

}  // namespace topple::hil::page
