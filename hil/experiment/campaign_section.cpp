#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/experiment/sections.hpp"

namespace topple::hil::experiment {
namespace {

constexpr std::size_t kValuesMax = 1000;
constexpr std::int64_t kTestsMax = 100000;
constexpr double kValueMax = 1e15;
constexpr double kSearchLeast = 1e-6, kSearchMost = 1e6;
constexpr double kStepsMax = 10000.0;

bool is_of_rows(CampaignProtocol protocol) {
    return protocol == CampaignProtocol::descending || protocol == CampaignProtocol::adaptive;
}

CampaignProtocol read_protocol(TomlTable& section) {
    const std::string name = section.one_of("protocol", {"descending", "adaptive", "list", "repeats"});
    if (name == "descending") return CampaignProtocol::descending;
    if (name == "adaptive") return CampaignProtocol::adaptive;
    return name == "list" ? CampaignProtocol::list : CampaignProtocol::repeats;
}

CampaignDrive read_drive(TomlTable& section) {
    const std::string name = section.one_of_or("driven_by", {"table", "hand", "simulated_hand"}, "table");
    if (name == "hand") return CampaignDrive::hand;
    return name == "table" ? CampaignDrive::table : CampaignDrive::simulated_hand;
}

std::string read_key(TomlTable& table) {
    const std::string key = table.text("key");
    if (key.find('.') == std::string::npos)
        table.fail("key", "must name section and key, e.g. \"excitation.amplitude_m_s2\"");
    if (key.starts_with("campaign.")) table.fail("key", "must not be of [campaign] itself");
    return key;
}

CampaignRows read_rows(TomlTable table) {
    CampaignRows rows;
    rows.key = read_key(table);
    rows.values = table.numbers("values", between(-kValueMax, kValueMax), kValuesMax);
    std::vector<double> sorted = rows.values;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        table.fail("values", "holds the same number twice; for several tests of the same setting use repeats");
    table.finish();
    return rows;
}

CampaignSearch read_search(TomlTable table, CampaignProtocol protocol) {
    CampaignSearch search;
    search.key = read_key(table);
    search.from = table.number("from", between(kSearchLeast, kSearchMost));
    search.to = table.number("to", between(kSearchLeast, kSearchMost));
    if (search.from == search.to) table.fail("to", "is the same as from: there is nothing to search");
    if (protocol == CampaignProtocol::descending)
        search.step_ratio = table.number_or("step_ratio", between(1e-4, 1.0), search.step_ratio);
    if (protocol == CampaignProtocol::descending &&
        std::abs(std::log(search.to / search.from)) > kStepsMax * std::log1p(search.step_ratio))
        table.fail_here(fmt::format("more than {:g} steps from {:g} to {:g}: take a larger step_ratio", kStepsMax,
                                    search.from, search.to));
    if (protocol != CampaignProtocol::descending)
        search.resolution_ratio = table.number_or("resolution_ratio", between(1e-3, 0.5), search.resolution_ratio);
    table.finish();
    return search;
}

// tests = [{ "section.key" = number, ... }, ...]: every entry has the same keys.
CampaignList read_tests(TomlTable& section) {
    CampaignList list;
    for (TomlTable& entry : section.tables("tests")) {
        std::vector<std::string> keys = entry.keys();
        if (list.keys.empty()) list.keys = keys;
        if (keys.empty()) entry.fail_here("a test without keys: write { \"section.key\" = number }");
        std::vector<double> setting;
        for (const std::string& key : list.keys) setting.push_back(entry.number(key, between(-kValueMax, kValueMax)));
        entry.finish();
        list.settings.push_back(std::move(setting));
    }
    return list;
}

CampaignList read_list(TomlTable& section) {
    CampaignList list;
    if (section.has("file") == section.has("tests"))
        section.fail_here("protocol \"list\" needs either file (a CSV whose columns are keys of this file) or tests");
    if (section.has("tests")) {
        list = read_tests(section);
        if (list.settings.empty()) section.fail("tests", "is empty: write [{ \"section.key\" = number }, ...]");
    } else {
        list.file = section.text("file");
    }
    return list;
}

}  // namespace

std::optional<CampaignSection> read_campaign(TomlTable& file) {
    if (!file.has("campaign")) return std::nullopt;
    TomlTable section = file.table("campaign");
    CampaignSection campaign;
    campaign.protocol = read_protocol(section);
    campaign.driven_by = read_drive(section);
    if (is_of_rows(campaign.protocol)) {
        campaign.rows = read_rows(section.table("rows"));
        campaign.search = read_search(section.table("search"), campaign.protocol);
        if (campaign.rows->key == campaign.search->key)
            section.fail("search", fmt::format("varies {} as rows does", campaign.search->key));
    }
    if (campaign.protocol == CampaignProtocol::list) campaign.list = read_list(section);
    const bool is_near_boundary = campaign.protocol == CampaignProtocol::descending;
    if (campaign.protocol == CampaignProtocol::adaptive)
        section.forbid("repeats", "is not of protocol \"adaptive\", which repeats a test where that tells most");
    else
        campaign.repeats = static_cast<std::size_t>(section.integer_or("repeats", 1, 1000, is_near_boundary ? 3 : 1));
    campaign.tests_max = static_cast<std::size_t>(section.integer_or("tests_max", 1, kTestsMax, 1000));
    if (section.has("restitutions")) campaign.restitutions = section.numbers("restitutions", between(0.0, 1.0), 5);
    campaign.figures = section.boolean_or("figures", false);
    section.finish();
    return campaign;
}

std::uint64_t read_campaign_test(TomlTable& file) {
    if (!file.has("campaign_test")) return 0;
    TomlTable section = file.table("campaign_test");
    if (file.has("campaign")) section.fail_here("not allowed beside [campaign]: it says which test of one this is");
    const std::int64_t number = section.integer_or("number", 1, kSeedMax, 0);
    if (number == 0) section.fail_here("needs number, an integer from 1");
    section.finish();
    return static_cast<std::uint64_t>(number);
}

}  // namespace topple::hil::experiment
