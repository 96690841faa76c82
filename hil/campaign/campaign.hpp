// A campaign from its first test to its last: chosen, prepared, made, kept, published.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "hil/campaign/operator.hpp"
#include "hil/drive/drive_experiment.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::campaign {

struct CampaignOptions {
    std::filesystem::path
        folder;                 ///< empty: the default of create_default_run_folder; with `resume`: see find_campaign
    bool resume = false;        ///< go on with what is in the folder
    drive::DriveOptions drive;  ///< of every test; the folder is not used
    Operator person;
    drive::ProgressSink progress = [](const drive::DriveStatus&) {};
    std::function<void(const std::string&)> tell = [](const std::string&) {};  ///< gets one line per test
    bool is_simulated = true;  ///< tests take no time: the page is made anew every few seconds instead of every test
};

struct CampaignResult {
    std::filesystem::path folder;
    bool is_complete = false;
    std::string ended;           ///< why it ended before it was complete; empty: it is complete
    bool output_failed = false;  ///< `ended` is about writing, not about the table or the operator
    std::string figures_missing;
    std::string text, json;  ///< campaign_text(), campaign_json()
};

/// Folder of the newest campaign under `runs` that was begun with this very file. Throws InputError if there is none.
std::filesystem::path find_campaign(const experiment::Experiment& experiment);

/// Makes tests until the protocol is complete, the operator ends it, a test fails, or a stop is asked for. Each test is
/// in tests.csv, on the disk, before the next one begins. With `resume`: takes up what an interruption left, the marks
/// made since included, and goes on; no test is made twice. Throws InputError for an experiment without [campaign] or
/// one that no campaign can make, a folder that exists (or, with resume, is of another file), and as make_test() when
/// nothing has been made in this call; later the reason is in the result.
CampaignResult run_campaign(const experiment::Experiment& experiment, const CampaignOptions& options,
                            const std::atomic<bool>& stop_requested);

/// Throws InputError for an experiment without [campaign], or whose specimens no campaign can be made of.
void require_makeable(const experiment::Experiment& experiment);
/// What would be done, without a table: protocol, number of tests, and what the machine says of its extremes.
std::string campaign_plan_text(const experiment::Experiment& experiment);

}  // namespace topple::hil::campaign
