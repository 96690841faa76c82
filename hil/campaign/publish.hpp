// Everything that a reader sees of a campaign: index.html, summary.json and the figures, made anew from its tests.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "hil/campaign/protocol.hpp"
#include "hil/campaign/stability_graph.hpp"
#include "hil/campaign/test_record.hpp"
#include "hil/scores/scored_test.hpp"

namespace topple::hil::campaign {

struct Published {
    const experiment::Experiment& experiment;
    const Settings& settings;
    std::span<const TestRecord> tests;
    std::vector<RowBoundary> boundaries;
    std::size_t expected_left = 0;  ///< tests; 0: the campaign is complete
    double left_s = 0.0;            ///< as expected; 0: not known
    std::optional<GraphPlane> plane;
    std::vector<std::vector<BoundaryCurve>> curves;  ///< per specimen
};

/// The counted tests of one specimen, as the scores take them; repeats share a group.
std::vector<scores::ScoredTest> scored_tests(const Settings& settings, std::span<const TestRecord> tests,
                                             std::size_t specimen);

/// Replaces the files in the folder. Throws OutputError; figures that cannot be drawn are said on the page and
/// returned.
std::string publish(const Published& campaign, const std::filesystem::path& folder);

/// The same for a terminal: progress, outcomes, boundaries, scores of every specimen.
std::string campaign_text(const Published& campaign);
std::string campaign_json(const Published& campaign);  ///< topple.campaign/1

}  // namespace topple::hil::campaign
