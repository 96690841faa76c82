// Scores against closed forms, and against data of which the answer is known.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hil/scores/scores.hpp"
#include "hil/scores/scores_output.hpp"
#include "solver/numerics/random_sequence.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::scores;
using solver::Outcome;

namespace {

ScoredTest test_of(double overturning, bool fell, std::string name = "t") {
    ScoredTest test;
    test.name = std::move(name);
    test.probability[solver::outcome_code(Outcome::overturning)] = overturning;
    test.probability[solver::outcome_code(Outcome::rocking)] = 1.0 - overturning;
    test.members = 1000;
    test.predicted = overturning >= 0.5 ? Outcome::overturning : Outcome::rocking;
    test.observed = observed(fell ? Outcome::overturning : Outcome::rocking);
    return test;
}

/// Probabilities that are right: every test overturns as often as was said.
std::vector<ScoredTest> calibrated(std::size_t count, std::uint64_t seed) {
    solver::SplitMix64 random(seed);
    std::vector<ScoredTest> tests;
    for (std::size_t i = 0; i < count; ++i) {
        const double p = random.uniform();
        tests.push_back(test_of(p, random.uniform() < p, std::to_string(i)));
    }
    return tests;
}

std::vector<ScoredTest> with_velocity(std::vector<ScoredTest> tests, double (*velocity_m_s)(const ScoredTest&)) {
    for (ScoredTest& test : tests) test.peak_velocity_m_s = velocity_m_s(test);
    return tests;
}

}  // namespace

TEST_CASE("the Brier score is the mean square of what was missing to certainty") {
    const std::vector<ScoredTest> tests{test_of(0.1, false, "a"), test_of(0.9, true, "b"), test_of(0.8, true, "c"),
                                        test_of(0.3, false, "d")};
    const Scores scores = score(tests);
    CHECK(scores.overturning.brier.value == Approx((0.01 + 0.01 + 0.04 + 0.09) / 4).margin(1e-15));
    CHECK(scores.overturning.expected_brier == Approx((0.09 + 0.09 + 0.16 + 0.21) / 4).margin(1e-15));
    CHECK(scores.classes.brier.value == Approx(2 * scores.overturning.brier.value).margin(1e-15));
    CHECK(scores.overturning.log_score.value ==
          Approx(-(2 * std::log(0.9) + std::log(0.8) + std::log(0.7)) / 4).margin(1e-15));
}

TEST_CASE("the base rate of a test comes from the others, so that its Brier score is k (n - k) / (n - 1)^2") {
    for (const auto& [n, k] : {std::pair{12, 5}, {20, 10}, {15, 1}}) {
        std::vector<ScoredTest> tests;
        for (int i = 0; i < n; ++i) tests.push_back(test_of(0.5, i < k, std::to_string(i)));
        const Reference& rate = score(tests).overturning.base_rate;
        REQUIRE(rate.missing.empty());
        CHECK(rate.brier.value == Approx(double(k) * (n - k) / ((n - 1.0) * (n - 1.0))).margin(1e-14));
        CHECK(rate.difference.value == Approx(0.25 - rate.brier.value).margin(1e-14));
        CHECK(*rate.skill == Approx(1 - 0.25 / rate.brier.value).margin(1e-14));
    }
}

TEST_CASE("a base rate does not learn from repeats of the test that it is for") {
    std::vector<ScoredTest> tests;
    for (int i = 0; i < 6; ++i) tests.push_back(test_of(0.5, true, std::to_string(i))), tests.back().group = "falls";
    for (int i = 0; i < 6; ++i) tests.push_back(test_of(0.5, false, std::to_string(i))), tests.back().group = "stands";
    CHECK(score(tests).overturning.base_rate.brier.value == 1.0);  // each group is told only of the other
    for (ScoredTest& test : tests) test.group = "one";
    CHECK(score(tests).overturning.base_rate.missing == "all tests are repeats of one");
}

TEST_CASE("right probabilities lie on the diagonal and have the Brier score that they expect") {
    const Scores scores = score(calibrated(4000, 11));
    CHECK(scores.overturning.brier.value == Approx(1.0 / 6.0).margin(0.01));  // 4 standard errors of 4000 tests
    CHECK(scores.overturning.brier.value == Approx(scores.overturning.expected_brier).margin(0.01));
    REQUIRE(scores.overturning.reliability.size() == 10);
    for (const ReliabilityBin& bin : scores.overturning.reliability) {
        const double error = 4.0 * std::sqrt(0.25 / static_cast<double>(bin.overturned.total));
        CHECK(bin.overturned.value() == Approx(bin.mean_probability).margin(error));
        CHECK(bin.overturned.interval.low < bin.overturned.value());
        CHECK(bin.overturned.interval.high > bin.overturned.value());
    }
    CHECK(scores.overturning.base_rate.verdict == Verdict::better);
}

TEST_CASE("overconfident probabilities leave the diagonal") {
    std::vector<ScoredTest> tests = calibrated(4000, 12);
    for (ScoredTest& test : tests) {
        const double p = *overturning_probability(test);
        test.probability[solver::outcome_code(Outcome::overturning)] = p > 0.5 ? 0.99 : 0.01;
        test.probability[solver::outcome_code(Outcome::rocking)] = p > 0.5 ? 0.01 : 0.99;
    }
    const Scores scores = score(tests);
    REQUIRE(scores.overturning.reliability.size() == 2);
    CHECK(scores.overturning.reliability.front().overturned.interval.low > 0.01);
    CHECK(scores.overturning.reliability.back().overturned.interval.high < 0.99);
    CHECK(scores.overturning.brier.value > 2 * scores.overturning.expected_brier);
}

TEST_CASE("the interval of the Brier score holds the true value in about 95 of 100 sets") {
    int held = 0;
    for (std::uint64_t set = 0; set < 100; ++set) {
        const auto interval = score(calibrated(60, 1000 + set)).overturning.brier.interval;
        REQUIRE(interval);
        held += interval->low <= 1.0 / 6.0 && 1.0 / 6.0 <= interval->high;
    }
    CHECK(held >= 85);
    CHECK(held <= 100);
}

TEST_CASE("repeats of the same test do not make the interval narrower") {
    const std::vector<ScoredTest> once = calibrated(40, 3);
    std::vector<ScoredTest> five;
    for (ScoredTest test : once) {
        test.group = test.name;
        for (int i = 0; i < 5; ++i) five.push_back(test);
    }
    const auto narrow = *score(once).overturning.brier.interval, wide = *score(five).overturning.brier.interval;
    CHECK(wide.high - wide.low == Approx(narrow.high - narrow.low).epsilon(0.1));
    CHECK(score(five).overturning.groups == 40);
}

TEST_CASE("scores do not depend on the order of the tests, to the last digit") {
    std::vector<ScoredTest> tests =
        with_velocity(calibrated(300, 7), [](const ScoredTest& test) { return 0.1 + *overturning_probability(test); });
    for (std::size_t i = 0; i < tests.size(); ++i) tests[i].group = std::to_string(i / 3);
    const std::string before = scores_json(score(tests)).dump() + repeats_json(repeat_groups(tests)).dump();
    solver::SplitMix64 random(1);
    for (std::size_t i = tests.size() - 1; i > 0; --i)
        std::swap(tests[i], tests[static_cast<std::size_t>(random.uniform() * static_cast<double>(i + 1))]);
    CHECK(scores_json(score(tests)).dump() + repeats_json(repeat_groups(tests)).dump() == before);
}

TEST_CASE("too few tests, or tests that all ended alike, are uninformative") {
    const auto all = [](std::size_t count, bool (*fell)(std::size_t)) {
        std::vector<ScoredTest> tests;
        for (std::size_t i = 0; i < count; ++i) tests.push_back(test_of(0.5, fell(i), std::to_string(i)));
        return tests;
    };
    CHECK(score({}).uninformative == "no test is scored");
    CHECK(score(all(30, [](std::size_t) { return true; })).uninformative == "all 30 tests overturned");
    CHECK(score(all(30, [](std::size_t) { return false; })).uninformative ==
          "nothing overturned in any of the 30 tests");
    CHECK(score(all(9, [](std::size_t i) { return i % 2 == 0; })).uninformative ==
          "9 different tests; at least 10 are needed");
    CHECK(score(all(30, [](std::size_t i) { return i == 0; })).uninformative ==
          "1 different tests overturned and 29 did not; at least 2 of each are needed");
    const Scores enough = score(all(10, [](std::size_t i) { return i % 2 == 0; }));
    CHECK(enough.uninformative.empty());
    CHECK(enough.overturning.base_rate.verdict != Verdict::uninformative);
    CHECK(score(all(9, [](std::size_t i) { return i % 2 == 0; })).overturning.base_rate.verdict ==
          Verdict::uninformative);
}

TEST_CASE("twenty repeats of one test are one test") {
    std::vector<ScoredTest> tests;
    for (int i = 0; i < 20; ++i) tests.push_back(test_of(0.5, i % 2 == 0, std::to_string(i))), tests.back().group = "g";
    CHECK(score(tests).uninformative == "1 different tests; at least 10 are needed");
}

TEST_CASE("perfect predictions are better than a base rate, and worthless ones are not") {
    std::vector<ScoredTest> perfect, reversed;
    for (int i = 0; i < 20; ++i) {
        perfect.push_back(test_of(i % 2 == 0 ? 1.0 : 0.0, i % 2 == 0, std::to_string(i)));
        reversed.push_back(test_of(i % 2 == 0 ? 0.0 : 1.0, i % 2 == 0, std::to_string(i)));
    }
    CHECK(score(perfect).overturning.base_rate.verdict == Verdict::better);
    CHECK(score(perfect).overturning.brier.value == 0.0);
    CHECK_FALSE(score(perfect).overturning.brier.interval);  // nothing is known of a spread that was never seen
    CHECK(score(reversed).overturning.base_rate.verdict == Verdict::worse);
}

TEST_CASE("the log score of what no member foresaw is finite: half a member") {
    std::vector<ScoredTest> tests{test_of(0.0, true)};
    tests[0].members = 99;
    CHECK(score(tests).overturning.log_score.value == Approx(-std::log(0.5 / 100)).margin(1e-12));
}

TEST_CASE("members without an outcome are left out of the shares, and a test without any is not scored") {
    ScoredTest half = test_of(0.25, true, "half");
    for (double& share : half.probability) share *= 0.5;
    ScoredTest none = test_of(0.0, true, "none");
    none.probability = {};
    const Scores scores = score(std::vector{half, none});
    CHECK(scores.without_prediction == 1);
    CHECK(scores.overturning.tests == 1);
    CHECK(scores.overturning.brier.value == Approx(0.75 * 0.75).margin(1e-15));
}

TEST_CASE("the confusion matrix has the classes that occur, and a column of failed solutions") {
    std::vector<ScoredTest> tests{test_of(0.9, true), test_of(0.9, false), test_of(0.1, false), test_of(0.1, false)};
    tests[3].predicted.reset();
    const Confusion confusion = score(tests).confusion;
    CHECK(confusion.classes == std::vector{Outcome::rocking, Outcome::overturning});
    CHECK(confusion.counts == std::vector<std::vector<std::size_t>>{{1, 1}, {0, 1}});
    CHECK(confusion.failed == std::vector<std::size_t>{1, 0});
}

TEST_CASE("who did not look at slip would have called sliding translation") {
    ScoredTest test;
    test.probability[solver::outcome_code(Outcome::sliding)] = 1.0;
    test.predicted = Outcome::sliding;
    test.observed = observed(Outcome::translation);
    CHECK(score(std::vector{test}).classes.right.count == 0);
    test.observed.slip_unseen = true;
    const Scores scores = score(std::vector{test});
    CHECK(scores.classes.right.count == 1);
    CHECK(scores.classes.brier.value == 0.0);
    CHECK(scores.confusion.sliding_is_translation == 1);
}

TEST_CASE("a stack of which is known that it overturned counts as a fall, but has no class") {
    ScoredTest test;
    test.probability[solver::outcome_code(Outcome::partial_overturning)] = 0.7;
    test.probability[solver::outcome_code(Outcome::total_overturning)] = 0.2;
    test.probability[solver::outcome_code(Outcome::rocking)] = 0.1;
    test.predicted = Outcome::partial_overturning;
    test.observed = observed(Outcome::overturning);
    const Scores scores = score(std::vector{test});
    CHECK(scores.overturning.brier.value == Approx(0.01).margin(1e-12));
    CHECK(scores.classes.tests == 0);
    CHECK(scores.confusion.class_unknown == 1);
    test.observed = observed(Outcome::total_overturning);
    CHECK(score(std::vector{test}).classes.brier.value == Approx(0.49 + 0.64 + 0.01).margin(1e-12));
}

TEST_CASE("tests of which is known only whether they fell have no class, and leave no verdict on classes") {
    std::vector<ScoredTest> tests;
    for (int i = 0; i < 20; ++i) tests.push_back(test_of(i % 2 == 0 ? 0.9 : 0.1, i % 2 == 0, std::to_string(i)));
    CHECK(score(tests).classes.base_rate.verdict == Verdict::better);
    for (ScoredTest& test : tests) test.observed = observed_fall(test.observed.overturned);
    tests[0].observed = observed(Outcome::overturning);
    tests[1].observed = observed(Outcome::rocking);
    const Scores scores = score(tests);
    CHECK(scores.classes.tests == 2);
    CHECK(scores.classes.base_rate.verdict == Verdict::uninformative);
    CHECK(scores.overturning.base_rate.verdict == Verdict::better);
    CHECK(scores.overturning.counts == std::array<std::array<std::size_t, 3>, 2>{{{10, 0, 0}, {0, 10, 0}}});
}

TEST_CASE("the fit over the peak velocity is scored on tests that it has not seen") {
    // Velocity says nothing: a fit to all of few tests would still seem to know something.
    solver::SplitMix64 random(5);
    std::vector<ScoredTest> tests;
    for (int i = 0; i < 200; ++i) {
        tests.push_back(test_of(0.5, random.uniform() < 0.5, std::to_string(i)));
        tests.back().peak_velocity_m_s = std::exp(random.uniform());
    }
    const Reference& fit = score(tests).overturning.peak_velocity;
    REQUIRE(fit.missing.empty());
    CHECK(fit.brier.value > 0.249);
    CHECK(fit.brier.value < 0.27);
}

TEST_CASE(
    "tests that the peak velocity tells apart leave no difference to be seen, and without velocity none is made") {
    const auto tests = with_velocity(calibrated(100, 9), [](const ScoredTest& test) {
        return test.observed.overturned ? 1.0 + 0.1 * *overturning_probability(test) : 0.5;
    });
    const OverturningScores scores = score(tests).overturning;
    REQUIRE(scores.peak_velocity.missing.empty());
    CHECK(scores.peak_velocity.brier.value < 0.01);
    CHECK(scores.peak_velocity.verdict == Verdict::worse);  // the prediction is: 1/6 against nearly 0
    const double half_m_s = std::exp(*scores.velocity_fit->half());
    CHECK(half_m_s > 0.5);
    CHECK(half_m_s < 1.0);
    CHECK(score(calibrated(30, 9)).overturning.peak_velocity.missing == "no test has a peak velocity of its base");
    const auto same = with_velocity(calibrated(30, 9), [](const ScoredTest&) { return 1.0; });
    CHECK(score(same).overturning.peak_velocity.missing == "1 different peak velocities; at least 3 are needed");
}

TEST_CASE("repeats are counted by outcome, with how often two of them are alike") {
    std::vector<ScoredTest> tests;
    for (int i = 0; i < 4; ++i) {
        tests.push_back(test_of(0.3, i == 0, std::to_string(i)));
        tests.back().group = "3 m/s2";
        if (i > 0) tests.back().peak_rotation_rad = 0.01 * i;
    }
    tests.push_back(test_of(0.5, true, "alone"));
    const auto groups = repeat_groups(tests);
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].tests == 4);
    CHECK(groups[0].outcomes[solver::outcome_code(Outcome::rocking)] == 3);
    CHECK(groups[0].overturned.count == 1);
    CHECK(groups[0].most_common.count == 3);
    CHECK(groups[0].pairs_alike == Approx(0.5));  // 3 of 6 pairs
    CHECK(*groups[0].predicted_overturning == Approx(0.3));
    CHECK(groups[0].peak.tests == 3);
    CHECK(groups[0].peak.median_rad == Approx(0.02));
    CHECK(groups[0].peak.standard_deviation_rad == Approx(0.01));
    CHECK(pairs_alike(groups).alike == 3);
    CHECK(pairs_alike(groups).pairs == 6);
}

TEST_CASE("few tests have few bins of reliability, and none that is empty") {
    std::vector<ScoredTest> tests;
    for (int i = 0; i < 12; ++i) tests.push_back(test_of(0.9, true, std::to_string(i)));
    const auto bins = score(tests).overturning.reliability;
    REQUIRE(bins.size() == 1);
    CHECK(bins[0].low == 0.5);
    CHECK(bins[0].overturned.total == 12);
}
