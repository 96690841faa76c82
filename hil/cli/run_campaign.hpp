// topple run on a file with [campaign].
#pragma once

#include <string>

#include "hil/drive/drive_experiment.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::cli {

struct CampaignChoices {
    std::string out;  ///< folder; empty: the default
    bool resume = false, json = false;
};

/// Makes the campaign, prints its result, and throws as `topple run` does if it did not come to its end.
void run_campaign(const experiment::Experiment& experiment, drive::DriveOptions test, const CampaignChoices& choices);

}  // namespace topple::hil::cli
