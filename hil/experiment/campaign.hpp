// [campaign]: which tests are made of one experiment, and in which order.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace topple::hil::experiment {

/// How the next test is chosen.
enum class CampaignProtocol {
    descending,  ///< in each row from the first value of the search on, step by step, until a specimen overturns
    adaptive,    ///< in each row where a test is expected to tell most about where overturning begins
    list,        ///< as listed
    repeats,     ///< the same test again and again
};

/// Who moves the base.
enum class CampaignDrive {
    table,           ///< [table] device
    hand,            ///< the operator: an air track, a release by hand; nothing is driven or recorded
    simulated_hand,  ///< the same for trying it out: what happens is computed with hidden differences
};

/// The rows of a stability graph: one value of this key each.
struct CampaignRows {
    std::string key;  ///< "section.key"
    std::vector<double> values;
};

/// What is varied within a row.
struct CampaignSearch {
    std::string key;
    double from = 0.0, to = 0.0;  ///< both > 0; the first test of a row is at `from`, none is beyond `to`
    /// Of descending: each value is the one before it times 1 + step (towards larger values) or divided by it.
    double step_ratio = 0.05;
    double resolution_ratio = 0.02;  ///< of adaptive: to which the boundary is wanted, relative
};

/// Numbers of the experiment file, one set per test.
struct CampaignList {
    std::vector<std::string> keys;
    std::vector<std::vector<double>> settings;  ///< [test][key]
    std::string file;                           ///< where they come from, as written; empty: from the section itself
};

struct CampaignSection {
    CampaignProtocol protocol = CampaignProtocol::repeats;
    CampaignDrive driven_by = CampaignDrive::table;
    std::optional<CampaignRows> rows;      ///< of descending and adaptive
    std::optional<CampaignSearch> search;  ///< of descending and adaptive
    CampaignList list;                     ///< of list
    /// Tests of the same setting: of repeats and list all of them; of descending those next to the boundary.
    std::size_t repeats = 1;
    std::size_t tests_max = 1000;      ///< a campaign ends after so many tests, discarded ones included
    std::vector<double> restitutions;  ///< further boundaries in the stability graph: fixed ratios of rotation rates
    bool figures = false;              ///< the figures of every single run
};

}  // namespace topple::hil::experiment
