// How likely an outcome is, and the draws behind it.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "hil/outcome_fit/table_likelihood.hpp"
#include "tests/support/catch.hpp"

using namespace topple::hil::outcome_fit;
using topple::hil::scores::Observation;
using topple::hil::scores::observed;
using topple::hil::scores::observed_fall;
using topple::solver::Outcome;
using topple::solver::outcome_code;

namespace {

OutcomeCounts counts_of(std::uint8_t translation, std::uint8_t sliding, std::uint8_t rocking, std::uint8_t fell) {
    OutcomeCounts counts{};
    counts[outcome_code(Outcome::translation)] = translation;
    counts[outcome_code(Outcome::sliding)] = sliding;
    counts[outcome_code(Outcome::rocking)] = rocking;
    counts[outcome_code(Outcome::overturning)] = fell;
    return counts;
}

Observation unseen_slip(Outcome outcome) {
    Observation seen = observed(outcome);
    seen.slip_unseen = true;
    return seen;
}

}  // namespace

TEST_CASE("the share of draws that ended as seen follows what was looked at") {
    const OutcomeCounts counts = counts_of(2, 3, 5, 6);
    const auto share = [&](const Observation& seen, LearnFrom from = LearnFrom::classes) {
        return share_as_seen(counts, 16, seen, from);
    };
    CHECK(share(observed(Outcome::translation)) == 2.0 / 16.0);
    CHECK(share(unseen_slip(Outcome::translation)) == 5.0 / 16.0);
    CHECK(share(observed(Outcome::rocking)) == 5.0 / 16.0);
    CHECK(share(observed(Outcome::overturning)) == 6.0 / 16.0);
    CHECK(share(observed_fall(false)) == 10.0 / 16.0);
    CHECK(share(observed(Outcome::rocking), LearnFrom::overturning) == 10.0 / 16.0);
}

TEST_CASE("a draw whose solution failed says nothing: it counts half") {
    CHECK(share_as_seen(counts_of(0, 0, 4, 4), 16, observed_fall(true), LearnFrom::classes) == 8.0 / 16.0);
}

TEST_CASE("likelihoods of all outcomes that a test can have sum to one") {
    const OutcomeCounts counts = counts_of(2, 3, 5, 6);
    LikelihoodSettings settings;
    settings.lapse = 0.1;
    const auto likelihood = [&](const Observation& seen) {
        return likelihood_of(share_as_seen(counts, 16, seen, settings.learn_from), seen, false, settings);
    };
    CHECK(likelihood(observed_fall(true)) + likelihood(observed_fall(false)) == Approx(1.0).margin(1e-15));
    CHECK(likelihood(unseen_slip(Outcome::translation)) + likelihood(unseen_slip(Outcome::rocking)) +
              likelihood(unseen_slip(Outcome::overturning)) ==
          Approx(1.0).margin(1e-15));
    CHECK(likelihood(observed(Outcome::translation)) + likelihood(observed(Outcome::sliding)) +
              likelihood(observed(Outcome::rocking)) + likelihood(observed(Outcome::overturning)) ==
          Approx(1.0).margin(1e-15));
    CHECK(likelihood_of(0.0, observed_fall(true), false, settings) == Approx(0.05));
}

TEST_CASE("draws of one test have one in each stratum of every column, and differ from test to test") {
    const Eigen::MatrixXd draws = latin_normals(16, 3, 7);
    for (Eigen::Index column = 0; column < draws.cols(); ++column) {
        std::vector<int> stratum;
        for (Eigen::Index row = 0; row < draws.rows(); ++row)
            stratum.push_back(static_cast<int>(16.0 * 0.5 * std::erfc(-draws(row, column) / std::sqrt(2.0))));
        std::sort(stratum.begin(), stratum.end());
        std::vector<int> expected(16);
        std::iota(expected.begin(), expected.end(), 0);
        CHECK(stratum == expected);
    }
    CHECK(draws != latin_normals(16, 3, 8));
    CHECK(draws == latin_normals(16, 3, 7));
}
