#include "hil/cli/run_campaign.hpp"

#include <fmt/format.h>

#include "firmware_iface/fault.hpp"
#include "hil/campaign/campaign.hpp"
#include "hil/cli/campaign_operator.hpp"
#include "hil/cli/consent.hpp"
#include "hil/cli/progress_line.hpp"
#include "hil/cli/signals.hpp"
#include "hil/files/errors.hpp"
#include "hil/plan/prediction_text.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using experiment::CampaignDrive;
using text::tell;

bool is_simulated(const experiment::Experiment& experiment, const drive::DriveOptions& test) {
    const CampaignDrive driven_by = experiment.campaign->driven_by;
    return driven_by == CampaignDrive::simulated_hand || (driven_by == CampaignDrive::table && test.device == "sim:");
}

}  // namespace

void run_campaign(const experiment::Experiment& experiment, drive::DriveOptions test, const CampaignChoices& choices) {
    campaign::CampaignOptions options;
    options.folder = choices.out;
    options.resume = choices.resume;
    options.is_simulated = is_simulated(experiment, test);
    options.person = options.is_simulated ? nobody() : operator_at_terminal(experiment);
    options.tell = [](const std::string& line) { tell("{}\n", line); };
    if (!options.is_simulated)
        test.planned = [](const drive::RunPlan& plan) {
            for (const std::string& probability : plan::outcome_probabilities(plan.prediction))
                tell("predicted {}\n", probability);
        };
    options.drive = std::move(test);
    const auto& stop_requested = stop_on_signals();
    campaign::CampaignResult result;
    {
        ProgressLine line;
        options.progress = [&line](const drive::DriveStatus& status) { line.show(status); };
        try {
            result = campaign::run_campaign(experiment, options, stop_requested);
        } catch (const files::InputError& error) {
            if (!stop_requested) throw;
            throw firmware_iface::DeviceError(fmt::format("{}; every test made is kept{}; go on with --resume",
                                                          error.what(),
                                                          choices.out.empty() ? "" : " in " + choices.out));
        }
    }
    text::print_text(choices.json ? result.json : result.text);
    if (!choices.json) text::print_out("{:<12}{}\n", "report", (result.folder / "index.html").string());
    if (!result.ended.empty()) {
        const std::string words = fmt::format(
            "the campaign is not complete: {}; every test made is kept in {}; go on with --resume --out {}{}",
            result.ended, result.folder.string(), result.folder.string(),
            options.is_simulated ? "" : " (after a stop or fault: topple table clear before)");
        if (result.output_failed) throw files::OutputError(words);
        throw firmware_iface::DeviceError(words);
    }
    if (!result.figures_missing.empty())
        throw files::OutputError(
            fmt::format("{}: the page lacks a figure: {}", result.folder.string(), result.figures_missing));
}

}  // namespace topple::hil::cli
