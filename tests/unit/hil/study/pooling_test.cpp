// Random-effects means against published and hand-worked examples.
#include "hil/study/pooling.hpp"

#include <cmath>
#include <random>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace topple::hil::study;
using topple::solver::Estimate;

TEST_CASE("Two values with equal errors: mean, scatter and the variance between them by hand") {
    // Q = 2 (0.01)^2 / (0.002)^2 = 50; tau^2 = (50 - 1) / (w - w/2 ...) = (Q - 1)/(sum w - sum w^2 / sum w) = 49
    // (0.002)^2.
    const Pooled pooled = pool({{0.93, 0.002}, {0.95, 0.002}});
    CHECK(pooled.mean == Approx(0.94));
    CHECK(pooled.scatter == Approx(0.02 / std::sqrt(2.0)));
    CHECK(pooled.q == Approx(50.0));
    CHECK(pooled.tau == Approx(7.0 * 0.002));
    CHECK(pooled.random.value == Approx(0.94));
    CHECK(pooled.random.standard_error == Approx(0.01));  // scatter / sqrt 2
    CHECK(pooled.t_95 == Approx(12.706).epsilon(1e-4));   // Student, one degree of freedom
    CHECK(pooled.next_error == Approx(std::hypot(0.014, 0.01)));
}

TEST_CASE("Values closer together than their errors have no scatter beside these") {
    const Pooled pooled = pool({{0.94, 0.01}, {0.941, 0.02}, {0.9395, 0.01}});
    CHECK(pooled.tau == 0.0);
    CHECK(pooled.random.value == Approx(pooled.common.value));
    // Not less than the errors allow, however well the values agree.
    CHECK(pooled.random.standard_error == Approx(1.0 / std::sqrt(2.0e4 + 2.5e3)));
}

TEST_CASE("The interval of the random-effects mean holds the truth nineteen times of twenty") {
    std::mt19937_64 generator(5);
    std::normal_distribution<double> standard;
    int held = 0;
    constexpr int kTrials = 2000;
    for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<Estimate> values;
        for (int i = 0; i < 5; ++i) {
            const double error = 0.001 * (1 + i % 3);
            values.push_back({0.94 + 0.004 * standard(generator) + error * standard(generator), error});
        }
        const Pooled pooled = pool(values);
        held += std::abs(pooled.random.value - 0.94) < pooled.reach_95() ? 1 : 0;
    }
    // 95 % less 3 standard deviations of 2000 trials, and up to 2 % more: the error is never less than the errors say.
    CHECK(held > 0.935 * kTrials);
    CHECK(held < 0.985 * kTrials);
}

TEST_CASE("One value is itself, none, and an error that is no number, are refused") {
    const Pooled one = pool({{0.94, 0.01}});
    CHECK(one.random.value == 0.94);
    CHECK(one.random.standard_error == Approx(0.01));
    CHECK(one.tau == 0.0);
    CHECK_THROWS_AS(pool({}), std::invalid_argument);
    CHECK_THROWS_AS(pool({{0.94, std::nan("")}}), std::invalid_argument);
}
