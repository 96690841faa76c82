// Posteriors of outcomes against quadrature, and searches that must not be believed.
#include <cmath>

#include "hil/outcome_fit/table_likelihood.hpp"
#include "hil/outcome_fit/two_searches.hpp"
#include "solver/numerics/random_sequence.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::outcome_fit;
using Catch::Matchers::ContainsSubstring;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

double normal_share(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

/// Test i overturns where its load, spread by 0.3, exceeds the threshold x: P = Phi((load - x)/0.3).
struct Threshold {
    VectorXd load;
    std::vector<bool> fell;
    LikelihoodSettings settings;
    std::uint64_t calls = 0;

    double exact(double x, Index test) const {
        const double share = normal_share((load[test] - x) / 0.3);
        return likelihood_of(fell[static_cast<std::size_t>(test)] ? share : 1.0 - share,
                             hil::scores::observed_fall(fell[static_cast<std::size_t>(test)]), false, settings);
    }
    /// By counting draws, as of a table.
    MatrixXd operator()(const MatrixXd& draws) {
        MatrixXd log(draws.rows(), load.size());
        for (Index row = 0; row < draws.rows(); ++row)
            for (Index test = 0; test < load.size(); ++test) {
                const MatrixXd own = latin_normals(settings.draws_per_test, 1, ++calls);
                OutcomeCounts counts{};
                for (Index i = 0; i < own.rows(); ++i) {
                    const bool falls = load[test] + 0.3 * own(i, 0) > draws(row, 0);
                    ++counts[solver::outcome_code(falls ? solver::Outcome::overturning : solver::Outcome::rocking)];
                }
                const auto seen = hil::scores::observed_fall(fell[static_cast<std::size_t>(test)]);
                log(row, test) = std::log(likelihood_of(
                    share_as_seen(counts, settings.draws_per_test, seen, settings.learn_from), seen, false, settings));
            }
        return log;
    }
};

Threshold threshold_tests(double truth, std::size_t tests, std::uint64_t seed) {
    solver::SplitMix64 random(seed);
    Threshold model;
    model.load.resize(static_cast<Index>(tests));
    for (Index i = 0; i < model.load.size(); ++i) {
        model.load[i] = -2.0 + 4.0 * random.uniform();
        model.fell.push_back(model.load[i] + 0.3 * solver::normal_pair(random)[0] > truth);
    }
    return model;
}

struct Moments {
    double mean = 0.0, deviation = 0.0, log_evidence = 0.0;
};

/// Simpson's rule over -6..6 would do; a fine sum is exact for a smooth function that vanishes at both ends.
Moments by_quadrature(const Threshold& model) {
    constexpr int kSteps = 6000;
    double sum = 0.0, first = 0.0, second = 0.0;
    for (int i = 0; i <= kSteps; ++i) {
        const double x = -6.0 + 12.0 * i / kSteps;
        double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * M_PI);
        for (Index test = 0; test < model.load.size(); ++test) density *= model.exact(x, test);
        sum += density;
        first += density * x;
        second += density * x * x;
    }
    const double mean = first / sum;
    return {mean, std::sqrt(second / sum - mean * mean), std::log(sum * 12.0 / kSteps)};
}

}  // namespace

TEST_CASE("the posterior of a threshold from counted draws is that of quadrature") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        Threshold model = threshold_tests(0.4, 40, seed);
        const Moments exact = by_quadrature(model);
        const TwoSearches found = search_twice(1, [&](const MatrixXd& draws) { return model(draws); },
                                               VectorXd::Ones(40), {.draws_per_stage = 1000, .enough = 2000});
        INFO("seed " << seed << ", effective " << found.convergence.effective);
        REQUIRE(found.convergence.failure.empty());
        const double mean = hil::learn::weighted_mean(found.draws.draws, found.draws.weights)[0];
        const double deviation =
            std::sqrt(hil::learn::weighted_covariance(found.draws.draws, found.draws.weights)(0, 0));
        // 2000 effective draws: standard errors 0.022 deviations of the mean, 1.6 % of the deviation; four of them.
        CHECK(std::abs(mean - exact.mean) < 0.09 * exact.deviation);
        CHECK(deviation / exact.deviation == Approx(1.0).margin(0.07));
        CHECK(found.convergence.log_evidence == Approx(exact.log_evidence).margin(0.15));
    }
}

TEST_CASE("observations whose power is 0 leave the prior as it was") {
    Threshold model = threshold_tests(0.4, 20, 5);
    const TwoSearches found = search_twice(1, [&](const MatrixXd& draws) { return model(draws); }, VectorXd::Zero(20),
                                           {.draws_per_stage = 2000, .enough = 4000});
    CHECK(hil::learn::weighted_mean(found.draws.draws, found.draws.weights)[0] == Approx(0.0).margin(0.07));
    CHECK(found.convergence.log_evidence == Approx(0.0).margin(0.02));
}

TEST_CASE("searches that find too few draws, or different answers, are not believed") {
    // A needle that hardly any draw meets.
    const auto needle = [](const MatrixXd& draws) {
        MatrixXd log(draws.rows(), 1);
        for (Index i = 0; i < draws.rows(); ++i) log(i, 0) = -1e4 * (draws.row(i).array() - 2.5).square().sum();
        return log;
    };
    const TwoSearches found =
        search_twice(6, needle, VectorXd::Ones(1), {.draws_per_stage = 50, .stages_max = 2, .enough = 4000});
    CHECK_THAT(found.convergence.failure, ContainsSubstring("at least 100 are required"));
}
