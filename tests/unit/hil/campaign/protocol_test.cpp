// Which test comes next: step by step, as listed, and where it tells most.
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "hil/campaign/adaptive.hpp"
#include "hil/campaign/protocol.hpp"
#include "tests/support/catch.hpp"

using namespace topple::hil;
using namespace topple::hil::campaign;
using topple::solver::Outcome;

namespace {

experiment::CampaignSection section(experiment::CampaignProtocol protocol, std::size_t repeats) {
    experiment::CampaignSection campaign;
    campaign.protocol = protocol;
    campaign.rows = experiment::CampaignRows{"excitation.amplitude_m_s2", {4.0, 6.0}};
    campaign.search = experiment::CampaignSearch{"excitation.frequency_hz", 8.0, 2.0, 0.1, 0.02};
    campaign.repeats = repeats;
    return campaign;
}

TestRecord record(const Setting& setting, const std::vector<bool>& overturned, std::size_t number) {
    TestRecord test;
    test.number = number;
    test.setting = setting;
    for (const bool fell : overturned) {
        test.specimens.emplace_back();
        test.specimens.back().outcome = fell ? Outcome::overturning : Outcome::rocking;
    }
    return test;
}

/// Overturns at and below these frequencies, specimen by specimen, times the row.
std::vector<TestRecord> made(Protocol& protocol, const std::vector<double>& boundary_of_row_1,
                             std::size_t at_most = 10000) {
    std::vector<TestRecord> tests;
    while (tests.size() < at_most) {
        const auto next = protocol.next(tests);
        if (!next) break;
        std::vector<bool> fell;
        for (const double b : boundary_of_row_1) fell.push_back(next->setting[1] <= b * next->setting[0]);
        tests.push_back(record(next->setting, fell, tests.size() + 1));
    }
    return tests;
}

std::size_t count(const std::vector<TestRecord>& tests, const Setting& setting) {
    std::size_t found = 0;
    for (const TestRecord& test : tests) found += test.setting == setting && test.counts() ? 1 : 0;
    return found;
}

}  // namespace

TEST_CASE("A search goes by equal ratios from its start to its end, in numbers that a person can set") {
    const std::vector<double> down = search_values({"k", 8.0, 2.0, 0.1, 0.02}, 0.1);
    CHECK(down.front() == 8.0);
    CHECK(down.size() == 15);  // floor(ln 4 / ln 1.1) + 1
    CHECK(down.back() >= 2.0);
    CHECK(down[1] == 7.2727);
    const std::vector<double> up = search_values({"k", 2.0, 8.0, 0.1, 0.02}, 0.1);
    CHECK(up.front() == 2.0);
    CHECK(up[1] == 2.2);
    CHECK(up.back() <= 8.0);
    CHECK(search_values({"k", 1.0, 2.0, 1.0, 0.02}, 1.0) ==
          std::vector<double>{1.0, 2.0});  // an end is reached exactly
}

TEST_CASE(
    "Each row is stepped down until something overturns, and the tests beside the boundary are made three times") {
    const auto protocol = descending_protocol(section(experiment::CampaignProtocol::descending, 3), 1);
    const std::vector<TestRecord> tests = made(*protocol, {1.0});  // 4 Hz at 4 m/s2, 6 Hz at 6 m/s2
    const auto boundaries = protocol->boundaries(tests);
    REQUIRE(boundaries.size() == 2);
    for (const RowBoundary& row : boundaries) {
        CHECK(row.is_done);
        CHECK(*row.overturns <= row.row);
        CHECK(*row.stands > row.row);
        CHECK(*row.stands < *row.overturns * 1.1001);
        CHECK(count(tests, {row.row, *row.stands}) == 3);
        CHECK(count(tests, {row.row, *row.overturns}) == 3);
    }
    CHECK(count(tests, {4.0, 8.0}) == 1);
    // 8 Hz down to 4 Hz are 9 steps of 10 %, down to 6 Hz 5; 2 repeats on both sides.
    CHECK(tests.size() == (9 + 4) + (5 + 4));
    CHECK(protocol->expected_left(tests) == 0);
    for (const TestRecord& test : tests)
        CHECK(test.setting[1] >= *boundaries[test.setting[0] == 4.0 ? 0 : 1].overturns);
}

TEST_CASE("With two specimens a row goes on until both have overturned, and both boundaries are repeated") {
    const auto protocol = descending_protocol(section(experiment::CampaignProtocol::descending, 2), 2);
    const std::vector<TestRecord> tests = made(*protocol, {1.2, 0.8});
    const auto boundaries = protocol->boundaries(tests);
    REQUIRE(boundaries.size() == 4);
    CHECK(*boundaries[0].overturns > *boundaries[1].overturns);
    for (const RowBoundary& row : boundaries) {
        CHECK(row.is_done);
        CHECK(count(tests, {row.row, *row.overturns}) == 2);
    }
}

TEST_CASE("A row ends where the table cannot go on, and a test that does not count is made again") {
    const auto protocol = descending_protocol(section(experiment::CampaignProtocol::descending, 1), 1);
    std::vector<TestRecord> tests{record({4.0, 8.0}, {false}, 1)};
    tests.back().status = TestStatus::discarded;
    REQUIRE(protocol->next(tests)->setting == Setting{4.0, 8.0});
    tests.push_back(record({4.0, 8.0}, {false}, 2));
    tests.push_back(record(protocol->next(tests)->setting, {false}, 3));
    tests.back().status = TestStatus::refused;
    CHECK(protocol->next(tests)->setting == Setting{6.0, 8.0});
    CHECK(protocol->boundaries(tests)[0].is_done);
    CHECK_FALSE(protocol->boundaries(tests)[0].overturns.has_value());
}

TEST_CASE("A list is made in order, each as often as asked, and one that is listed twice twice as often") {
    const auto protocol = listed_protocol({{1.0}, {2.0}, {1.0}}, 2);
    std::vector<TestRecord> tests;
    std::vector<double> order;
    while (const auto next = protocol->next(tests)) {
        order.push_back(next->setting[0]);
        tests.push_back(record(next->setting, {false}, tests.size() + 1));
        CHECK(protocol->expected_left(tests) == 6 - tests.size());
    }
    CHECK(order == std::vector<double>{1.0, 1.0, 2.0, 2.0, 1.0, 1.0});
    tests[3].status = TestStatus::interrupted;
    CHECK(protocol->next(tests)->setting == Setting{2.0});
    const auto single = listed_protocol({Setting{}}, 3);
    CHECK(single->next({})->why == "repeat 1 of 3");
}

TEST_CASE("Belief in a boundary: an outcome moves it, the quantiles follow, and probabilities stay whole") {
    BeliefSettings settings;
    BoundaryBelief even(1.0, settings, {}, {});
    CHECK(even.quantile(0.5) == Approx(0.5).margin(0.02));
    even.observe(0.5, true);
    CHECK(even.quantile(0.95) < 0.5 + 0.03);
    CHECK(even.probability_overturns(0.8) > 0.95);
    even.observe(0.25, false);
    CHECK(even.quantile(0.05) > 0.25 - 0.03);
    CHECK(even.quantile(0.5) == Approx(0.375).margin(0.02));
    // Half of what is still open tells most, and what is known already tells nothing.
    CHECK(even.information_bit(0.375) > 0.7);
    CHECK(even.information_bit(0.375) > even.information_bit(0.3));
    CHECK(even.information_bit(0.9) < 0.15);
    CHECK(even.information_bit(0.9) >= 0.0);
}

TEST_CASE("Belief starts from the ensemble, and gives it up when the tests say so") {
    BeliefSettings settings;
    const std::vector<double> members(50, 0.3), weights(50, 1.0);
    BoundaryBelief belief(1.0, settings, members, weights);
    CHECK(belief.quantile(0.5) == Approx(0.3).margin(0.01));
    CHECK(belief.quantile(0.95) - belief.quantile(0.05) < 0.4);
    for (int i = 0; i < 4; ++i) belief.observe(0.45, false);
    CHECK(belief.quantile(0.05) > 0.4);
    BoundaryBelief never(1.0, settings, std::vector<double>(50, kNeverOverturns), weights);
    CHECK(never.probability_never() > 0.85);
    for (int i = 0; i < 4; ++i) never.observe(1.0, true);  // a few lapses would explain one, not four
    CHECK(never.probability_never() < 0.05);
}

TEST_CASE("Adaptive tests bracket every boundary to the resolution, with far fewer tests than step by step") {
    for (const double row_1 : {0.7, 1.0, 1.23}) {
        experiment::CampaignSection campaign = section(experiment::CampaignProtocol::adaptive, 1);
        const auto protocol = adaptive_protocol(campaign, 1, {});  // no ensemble: an even prior
        const std::vector<TestRecord> tests = made(*protocol, {row_1}, 200);
        const auto boundaries = protocol->boundaries(tests);
        for (const RowBoundary& row : boundaries) {
            INFO(row_1 << ", row " << row.row << ", " << tests.size() << " tests");
            CHECK(row.is_done);
            const double truth = row_1 * row.row;
            CHECK(std::abs(*row.estimate / truth - 1.0) < 0.02);
            CHECK(*row.low < truth * 1.005);
            CHECK(*row.high > truth * 0.995);
            CHECK(*row.stands > truth);
            CHECK(*row.overturns <= truth);
        }
        campaign.search->step_ratio = 0.02;
        const auto steps = descending_protocol(campaign, 1);
        CHECK(tests.size() * 2 < made(*steps, {row_1}).size());
    }
}

TEST_CASE("What one row shows weighs the members in the other rows") {
    // Members: the boundary lies at 0.3 or at 0.7 of the way, in both rows alike.
    std::vector<double> of_row;
    for (int m = 0; m < 40; ++m) of_row.push_back(m % 2 == 0 ? 0.3 : 0.7);
    const auto protocol =
        adaptive_protocol(section(experiment::CampaignProtocol::adaptive, 1), 1, {{of_row}, {of_row}});
    const SearchWay way({"k", 8.0, 2.0, 0.1, 0.02});
    const std::vector<TestRecord> tests{record({4.0, way.value_at(0.5)}, {false}, 1)};
    const auto boundaries = protocol->boundaries(tests);
    CHECK(way.way_of(*boundaries[0].estimate) == Approx(0.7).margin(0.03));
    CHECK(way.way_of(*boundaries[1].estimate) == Approx(0.7).margin(0.03));
    CHECK_FALSE(boundaries[1].is_done);  // believed, not shown
}

TEST_CASE("A row that never overturns, and one that overturns from the start, come to an end") {
    for (const double row_1 : {0.01, 10.0}) {
        const auto protocol = adaptive_protocol(section(experiment::CampaignProtocol::adaptive, 1), 1, {});
        const std::vector<TestRecord> tests = made(*protocol, {row_1}, 200);
        INFO(row_1);
        CHECK(tests.size() < 30);
        for (const RowBoundary& row : protocol->boundaries(tests)) {
            CHECK(row.is_done);
            CHECK(row.overturns.has_value() == (row_1 > 1.0));
        }
    }
}

TEST_CASE("What the table cannot make is asked for once, wherever rounding puts it") {
    // Every value below this is refused; the boundary would lie beyond it.
    for (int i = 0; i < 40; ++i) {
        const double least = 5.0 + 0.0137 * i;
        const auto protocol = adaptive_protocol(section(experiment::CampaignProtocol::adaptive, 1), 1, {});
        std::vector<TestRecord> tests;
        while (tests.size() < 100) {
            const auto next = protocol->next(tests);
            if (!next) break;
            for (const TestRecord& test : tests)
                if (test.status == TestStatus::refused) CHECK(next->setting != test.setting);
            tests.push_back(record(next->setting, {false}, tests.size() + 1));
            if (next->setting[1] < least) tests.back().status = TestStatus::refused;
        }
        INFO(least);
        CHECK(tests.size() < 60);
    }
}

TEST_CASE("Members are weighed by whether their boundary lies between what stood and what overturned in a row") {
    const BeliefSettings settings;
    const RowOutcomes between{0.48, 0.52, 0};
    CHECK(member_likelihood(settings, 0.5, between) > 3.0 * member_likelihood(settings, 0.58, between));
    // More tests in the same row that say the same weigh no more: the model's error is the row's.
    CHECK(member_likelihood(settings, 0.5, {0.3, 0.7, 0}) ==
          Approx(settings.lapse + (1.0 - 2.0 * settings.lapse)).margin(1e-6));
    CHECK(member_likelihood(settings, kNeverOverturns, between) == Approx(settings.lapse));
    CHECK(member_likelihood(settings, kNeverOverturns, {0.5, {}, 0}) == Approx(1.0 - settings.lapse));
}

TEST_CASE("The adaptive protocol is a pure function of the tests made") {
    const experiment::CampaignSection campaign = section(experiment::CampaignProtocol::adaptive, 1);
    const auto protocol = adaptive_protocol(campaign, 1, {});
    const std::vector<TestRecord> tests = made(*protocol, {1.1}, 200);
    for (std::size_t n = 0; n < tests.size(); ++n) {
        const auto fresh = adaptive_protocol(campaign, 1, {});
        CHECK(fresh->next(std::span(tests).first(n))->setting == tests[n].setting);
    }
}
