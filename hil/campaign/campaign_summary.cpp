#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "hil/campaign/page_parts.hpp"
#include "hil/campaign/publish.hpp"
#include "hil/files/sha256.hpp"
#include "hil/host/version.hpp"
#include "hil/scores/scores_output.hpp"

namespace topple::hil::campaign {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json boundary_json(const RowBoundary& boundary) {
    return {{"row", boundary.row},
            {"specimen", boundary.specimen},
            {"stands", or_null(boundary.stands)},
            {"overturns", or_null(boundary.overturns)},
            {"estimate", or_null(boundary.estimate)},
            {"interval_90",
             boundary.low || boundary.high ? Json{or_null(boundary.low), or_null(boundary.high)} : Json(nullptr)},
            {"overturns_from_start", boundary.from_start},
            {"done", boundary.is_done}};
}

std::string row_text(const RowBoundary& row, const Published& campaign) {
    std::string text = fmt::format("{:<12}{} = {:g}", "boundary", campaign.settings.keys()[0], row.row);
    if (campaign.experiment.specimens.size() > 1) text += fmt::format(", specimen {}", row.specimen);
    if (row.from_start)
        text += fmt::format(
            ": overturns at the start of the search already ({:.5g}): begin it further away, or "
            "exchange from and to",
            *row.overturns);
    else if (row.overturns)
        text += fmt::format(": overturned at {:.5g}", *row.overturns);
    else
        text += ": no overturning in the search";
    if (row.stands) text += fmt::format(", stood at {:.5g}", *row.stands);
    if (row.low && row.high && row.estimate)
        text += fmt::format("; begins at {:.5g} (90 %: {:.5g} to {:.5g})", *row.estimate, *row.low, *row.high);
    else if (row.stands && row.overturns)
        text += "; begins between them";
    return text + (row.is_done ? "\n" : " (so far)\n");
}

}  // namespace

std::string campaign_text(const Published& campaign) {
    std::string text =
        fmt::format("{:<12}{}\n{:<12}{}\n", "campaign", campaign.experiment.name, "tests", progress_words(campaign));
    for (const RowBoundary& row : campaign.boundaries) text += row_text(row, campaign);
    const std::size_t specimens = campaign.experiment.specimens.size();
    for (std::size_t i = 0; i < specimens; ++i) {
        const auto scored = scored_tests(campaign.settings, campaign.tests, i);
        text += fmt::format("{:<12}{}{}\n", "outcomes", specimens > 1 ? fmt::format("specimen {}: ", i) : "",
                            outcome_words(campaign.tests, i));
        text += scores::scores_text(scores::score(scored));
        text += scores::repeats_text(scores::repeat_groups(scored));
    }
    return text;
}

std::string campaign_json(const Published& campaign) {
    Json json{{"schema", "topple.campaign/1"},
              {"name", campaign.experiment.name},
              {"version", host::version()},
              {"study_sha256", files::sha256_hex(campaign.experiment.text)},
              {"keys", campaign.settings.keys()}};
    Json counts{{"made", campaign.tests.size()}};
    for (const TestStatus status :
         {TestStatus::done, TestStatus::discarded, TestStatus::interrupted, TestStatus::refused}) {
        std::size_t count = 0;
        for (const TestRecord& test : campaign.tests) count += test.status == status ? 1 : 0;
        counts[std::string(name(status))] = count;
    }
    json["tests"] = counts;
    json["complete"] = campaign.expected_left == 0;
    json["expected_left"] = campaign.expected_left;
    json["boundaries"] = Json::array();
    for (const RowBoundary& boundary : campaign.boundaries) json["boundaries"].push_back(boundary_json(boundary));
    json["specimens"] = Json::array();
    for (std::size_t i = 0; i < campaign.experiment.specimens.size(); ++i) {
        const auto scored = scored_tests(campaign.settings, campaign.tests, i);
        json["specimens"].push_back({{"scores", scores::scores_json(scores::score(scored))},
                                     {"repeats", scores::repeats_json(scores::repeat_groups(scored))}});
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace topple::hil::campaign
