// The folder of a campaign: study.toml, tests.csv, runs/, index.html.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "hil/campaign/settings.hpp"
#include "hil/campaign/test_table.hpp"

namespace topple::hil::campaign {

struct CampaignFolder {
    std::filesystem::path path;
    std::shared_ptr<TestTable> tests;
};

/// Of everything in runs/ whose name is a number, in order.
std::vector<std::uint64_t> run_numbers(const std::filesystem::path& folder);

/// A new one; empty `folder`: the default of create_default_run_folder. Throws InputError, OutputError.
CampaignFolder begun(const experiment::Experiment& experiment, const Settings& settings,
                     const std::filesystem::path& folder);
/// One that was begun with this very file; empty `folder`: the newest under runs. Throws InputError, naming the first
/// line that differs.
CampaignFolder taken_up(const experiment::Experiment& experiment, const Settings& settings,
                        const std::filesystem::path& folder);

}  // namespace topple::hil::campaign
