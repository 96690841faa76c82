#include "hil/campaign/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hil/experiment/models.hpp"
#include "hil/experiment/test_text.hpp"
#include "hil/files/csv.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::campaign {
namespace {

constexpr std::size_t kTestsListedMax = 100000;

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

}  // namespace

Settings::Settings(const experiment::Experiment& experiment)
    : source_(experiment.source),
      text_(experiment.text, experiment.source.string()),
      trial_text_(experiment::text_of_one_test(experiment.text, experiment.source.string(), 1),
                  experiment.source.string()) {
    const experiment::CampaignSection& campaign = *experiment.campaign;
    if (campaign.rows) keys_ = {campaign.rows->key, campaign.search->key};
    if (campaign.protocol == experiment::CampaignProtocol::list) read_list(experiment);
    for (const std::string& key : keys_) text_.number(key);  // throws if it is not there
}

void Settings::read_list(const experiment::Experiment& experiment) {
    const experiment::CampaignList& list = experiment.campaign->list;
    keys_ = list.keys;
    listed_ = list.settings;
    if (list.file.empty()) return;
    const files::CsvTable table = files::read_csv(experiment.source.parent_path() / list.file);
    if (!table.has_header)
        throw files::InputError(fmt::format("{}: the first line must name the columns by keys of {}", table.file,
                                            experiment.source.string()));
    for (const std::string& name : table.names_in_file)
        if (name.find('.') == std::string::npos)
            throw files::InputError(fmt::format(
                "{}: column \"{}\": every column must be named by section and key, e.g. excitation.amplitude_m_s2",
                table.file, name));
    for (const std::string& name : table.names)
        if (std::count(table.names.begin(), table.names.end(), name) > 1)
            throw files::InputError(fmt::format("{}: column {} is there twice", table.file, name));
    keys_ = table.names;
    const std::size_t count = table.columns.empty() ? 0 : table.columns[0].size();
    if (count > kTestsListedMax)
        throw files::InputError(
            fmt::format("{}: {} tests; at most {} are allowed", table.file, count, kTestsListedMax));
    for (std::size_t row = 0; row < count; ++row) {
        Setting setting;
        for (const auto& column : table.columns) setting.push_back(column[row]);
        listed_.push_back(std::move(setting));
    }
}

std::vector<experiment::VariedText::Change> Settings::changes(const Setting& setting) const {
    std::vector<experiment::VariedText::Change> changes;
    for (std::size_t i = 0; i < keys_.size(); ++i) changes.push_back({keys_[i], setting.at(i)});
    return changes;
}

experiment::Experiment Settings::at(const Setting& setting, std::uint64_t number) const {
    return experiment::read_experiment_text(
        experiment::text_of_one_test(text_.with(changes(setting)), source_.string(), number), source_, {});
}

experiment::Experiment Settings::trial(const Setting& setting) const {
    return experiment::read_experiment_text(trial_text_.with(changes(setting)), source_, {});
}

Setting Settings::setting_of(const experiment::Experiment& one) const {
    const experiment::VariedText text(one.text, one.source.string());
    Setting setting;
    for (const std::string& key : keys_) setting.push_back(text.number(key));
    return setting;
}

void Settings::require_readable(const experiment::CampaignSection& campaign) const {
    constexpr std::size_t kLookedAt = 2000;
    if (keys_.empty()) trial({});
    for (std::size_t i = 0; i < std::min(listed_.size(), kLookedAt); ++i) {
        try {
            trial(listed_[i]);
        } catch (const files::InputError& error) {
            throw files::InputError(fmt::format("test {} of the list ({}): {}", i + 1, text(listed_[i]), error.what()));
        }
    }
    if (!campaign.rows) return;
    for (const double row : campaign.rows->values) {
        trial({row, campaign.search->from});
        trial({row, campaign.search->to});
    }
}

std::string Settings::text(const Setting& setting) const {
    std::string text;
    for (std::size_t i = 0; i < keys_.size(); ++i)
        text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", last_part(keys_[i]), setting.at(i));
    return text.empty() ? "as described" : text;
}

}  // namespace topple::hil::campaign
