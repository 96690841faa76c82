// The penalised logistic fit and the intervals, against closed forms.
#include <array>
#include <cmath>
#include <vector>

#include "hil/scores/intervals.hpp"
#include "hil/scores/logistic_fit.hpp"
#include "solver/numerics/random_sequence.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::scores;

namespace {

void add(std::vector<LogisticPoint>& points, double x, int happened, int not_happened) {
    for (int i = 0; i < happened; ++i) points.push_back({x, true});
    for (int i = 0; i < not_happened; ++i) points.push_back({x, false});
}

}  // namespace

TEST_CASE("of two groups the penalised fit is the logarithm of the odds with half a test added to every cell") {
    for (const auto& cells : {std::array{7, 3, 2, 8}, {5, 0, 0, 5}, {1, 9, 4, 4}}) {
        std::vector<LogisticPoint> points;
        add(points, 1.0, cells[0], cells[1]);
        add(points, 3.0, cells[2], cells[3]);
        const auto fit = fit_logistic(points);
        REQUIRE(fit);
        const double at_1 = std::log((cells[0] + 0.5) / (cells[1] + 0.5)),
                     at_3 = std::log((cells[2] + 0.5) / (cells[3] + 0.5));
        CHECK(fit->slope == Approx((at_3 - at_1) / 2).margin(1e-8));
        CHECK(fit->intercept == Approx(at_1 - (at_3 - at_1) / 2).margin(1e-8));
    }
}

TEST_CASE("data that lie apart have a finite fit, halfway between them") {
    std::vector<LogisticPoint> points;
    for (int i = 1; i <= 20; ++i) add(points, 0.1 * i, i > 10, i <= 10);
    const auto fit = fit_logistic(points);
    REQUIRE(fit);
    CHECK(std::isfinite(fit->slope));
    CHECK(fit->slope > 3.0);
    CHECK(fit->slope < 100.0);
    CHECK(*fit->half() == Approx(1.05).margin(1e-6));  // by symmetry
    CHECK(fit->at(0.1) < 0.05);
    CHECK(fit->at(2.0) > 0.95);
}

TEST_CASE("all of one kind have a fit too, and equal x have none") {
    std::vector<LogisticPoint> all;
    for (int i = 0; i < 10; ++i) all.push_back({double(i), true});
    const auto fit = fit_logistic(all);
    REQUIRE(fit);
    CHECK(fit->at(4.5) > 0.8);
    CHECK(fit->at(4.5) < 1.0);
    CHECK_FALSE(fit_logistic(std::vector<LogisticPoint>(10, {1.0, true})));
    CHECK_FALSE(fit_logistic({}));
}

TEST_CASE("many drawn tests give back what they were drawn with") {
    solver::SplitMix64 random(3);
    const LogisticFit truth{-2.0, 3.0};
    std::vector<LogisticPoint> points;
    for (int i = 0; i < 20'000; ++i) {
        const double x = 2.0 * random.uniform();
        points.push_back({x, random.uniform() < truth.at(x)});
    }
    const auto fit = fit_logistic(points);
    REQUIRE(fit);
    CHECK(fit->intercept == Approx(-2.0).margin(0.2));  // 4 standard errors
    CHECK(fit->slope == Approx(3.0).margin(0.2));
}

TEST_CASE("Wilson's interval is that of his formula, and stays within 0 and 1") {
    const Interval half = wilson_interval(5, 10), none = wilson_interval(0, 10), all = wilson_interval(10, 10);
    CHECK(half.low == Approx(0.23659).margin(1e-5));  // (Newcombe 1998, method 3)
    CHECK(half.high == Approx(0.76341).margin(1e-5));
    CHECK(none.low == 0.0);
    CHECK(none.high == Approx(0.27753).margin(1e-5));
    CHECK(all.high == 1.0);
    CHECK(all.low == Approx(1 - none.high).margin(1e-12));
    CHECK(wilson_interval(81, 263).low == Approx(0.2553).margin(5e-5));  // Newcombe's first example
    CHECK(wilson_interval(81, 263).high == Approx(0.3662).margin(5e-5));
}

TEST_CASE("a bootstrapped interval is that of the normal distribution where there are many groups") {
    std::vector<GroupSum> groups;
    for (int i = 0; i < 400; ++i) groups.push_back({i % 2 == 0 ? 1.0 : 0.0, 1});
    const auto interval = bootstrap_interval(groups);
    REQUIRE(interval);
    CHECK(interval->low == Approx(0.5 - 1.96 * 0.025).margin(0.005));
    CHECK(interval->high == Approx(0.5 + 1.96 * 0.025).margin(0.005));
    CHECK_FALSE(bootstrap_interval(std::vector<GroupSum>{{1.0, 3}}));
}

TEST_CASE("a test far from all others does not keep the penalised fit from converging") {
    // Leverage near 1: with the unpenalised information alone the steps would swing for ever.
    std::vector<LogisticPoint> far;
    for (int i = 0; i < 12; ++i) far.push_back({std::log(0.300 + 0.002 * i), i % 3 == 0});
    far.push_back({std::log(0.6), true});
    CHECK(fit_logistic(far).has_value());
    const std::vector<LogisticPoint> two{{0.0, false}, {1.0, true}};  // the answer of the two groups: odds 1/3 and 3
    const auto fit = fit_logistic(two);
    REQUIRE(fit.has_value());
    CHECK(fit->at(0.0) == Approx(0.25).margin(1e-8));
    CHECK(fit->at(1.0) == Approx(0.75).margin(1e-8));
    solver::SplitMix64 random(11);
    const auto normal = [&] { return solver::normal_pair(random)[0]; };
    for (int table = 0; table < 200; ++table) {
        std::vector<LogisticPoint> points;
        const int count = 4 + table % 8;
        for (int i = 0; i < count; ++i) points.push_back({normal() * (i == 0 ? 8.0 : 1.0), normal() > 0.0});
        INFO(table);
        CHECK(fit_logistic(points).has_value());
    }
}
