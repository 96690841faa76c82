#include <fmt/format.h>

#include "hil/campaign/campaign.hpp"
#include "hil/campaign/exceeded_limits.hpp"
#include "hil/campaign/protocol.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::campaign {
namespace {

using experiment::CampaignDrive;
using experiment::CampaignProtocol;
using experiment::Experiment;

std::string_view protocol_words(CampaignProtocol protocol) {
    switch (protocol) {
        case CampaignProtocol::descending: return "each row step by step until something overturns";
        case CampaignProtocol::adaptive: return "each test where it is expected to tell most about the boundary";
        case CampaignProtocol::list: return "as listed";
        case CampaignProtocol::repeats: return "repeats of one test";
    }
    return "?";
}

/// The settings at the corners of what may be asked for: if they can be made, so can most of what lies between.
std::vector<Setting> extremes(const Experiment& experiment, const Settings& settings) {
    std::vector<Setting> all = settings.listed();
    if (experiment.campaign->rows)
        for (const double row : experiment.campaign->rows->values)
            for (const double at : {experiment.campaign->search->from, experiment.campaign->search->to})
                all.push_back({row, at});
    if (all.empty()) all.emplace_back();
    return all;
}

std::string verdict(const Experiment& experiment, const Settings& settings, const Setting& setting) {
    try {
        const Experiment one = settings.at(setting, 1);
        if (experiment.campaign->driven_by != CampaignDrive::table) return {};
        experiment::require_drivable(one);
        const std::vector<std::string> reasons = exceeded_limits(one);
        return reasons.empty() ? std::string() : reasons.front();
    } catch (const files::InputError& error) {
        return error.what();
    }
}

}  // namespace

std::string campaign_plan_text(const Experiment& experiment) {
    require_makeable(experiment);
    const Settings settings(experiment);
    settings.require_readable(*experiment.campaign);
    const auto protocol = make_protocol(experiment, settings);
    std::string text =
        fmt::format("{:<12}{}: {}\n", "campaign", experiment.name, protocol_words(experiment.campaign->protocol));
    text += fmt::format("{:<12}about {}, at most {}\n", "tests", protocol->expected_left({}),
                        experiment.campaign->tests_max);
    if (const auto first = protocol->next({}))
        text += fmt::format("{:<12}{} ({})\n", "first test", settings.text(first->setting), first->why);
    for (const Setting& setting : extremes(experiment, settings))
        if (const std::string why = verdict(experiment, settings, setting); !why.empty())
            text += fmt::format("{:<12}{}: {}\n", "cannot", settings.text(setting), why);
    return text;
}

}  // namespace topple::hil::campaign
