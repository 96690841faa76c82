// Lognormal fragility curves through counts.
#include "hil/fragility/lognormal_fit.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "solver/numerics/random_sequence.hpp"
#include "tests/support/catch.hpp"

using topple::hil::fragility::fit_lognormal;
using topple::hil::fragility::FitState;
using topple::hil::fragility::IntensityCount;
using topple::hil::fragility::is_informative;
using topple::hil::fragility::LognormalFit;

namespace {

double probability(double x, double median, double dispersion) {
    return 0.5 * std::erfc(-std::log(x / median) / dispersion / std::numbers::sqrt2);
}

/// So many as the curve expects, rounded.
std::vector<IntensityCount> expected_counts(double median, double dispersion, std::uint64_t runs, double unit = 1.0) {
    std::vector<IntensityCount> counts;
    for (double x = 0.2; x < 4.0; x += 0.2)
        counts.push_back(
            {x * unit, runs,
             static_cast<std::uint64_t>(std::llround(static_cast<double>(runs) * probability(x, median, dispersion)))});
    return counts;
}

}  // namespace

TEST_CASE("The lognormal that the expected counts come from is found again") {
    const LognormalFit fit = fit_lognormal(expected_counts(1.4, 0.35, 10'000'000));
    REQUIRE(fit.state == FitState::fitted);
    CHECK(fit.median == Approx(1.4).epsilon(1e-6));
    CHECK(fit.dispersion == Approx(0.35).epsilon(1e-6));
    CHECK(fit.probability > 0.999);
    CHECK(fit.at(1.4) == Approx(0.5).epsilon(1e-6));
}

TEST_CASE("Binomial counts of a lognormal give it back within their own spread, and a deviance like its degrees") {
    topple::solver::SplitMix64 random(7);
    double median = 0.0, dispersion = 0.0, deviance = 0.0;
    constexpr int kStudies = 200;
    constexpr std::uint64_t kRuns = 200;
    std::size_t degrees = 0;
    for (int i = 0; i < kStudies; ++i) {
        std::vector<IntensityCount> counts;
        for (double x = 0.8; x < 2.6; x += 0.2) {
            IntensityCount count{x, kRuns, 0};
            for (std::uint64_t k = 0; k < kRuns; ++k)
                if (random.uniform() < probability(x, 1.4, 0.35)) ++count.overturned;
            counts.push_back(count);
        }
        const LognormalFit fit = fit_lognormal(counts);
        REQUIRE(fit.state == FitState::fitted);
        median += fit.median / kStudies;
        dispersion += fit.dispersion / kStudies;
        deviance += fit.deviance / kStudies;
        degrees = fit.degrees;
    }
    CHECK(median == Approx(1.4).epsilon(0.005));
    CHECK(dispersion == Approx(0.35).epsilon(0.02));
    CHECK(deviance == Approx(static_cast<double>(degrees)).epsilon(0.15));
}

TEST_CASE("Counts that are no lognormal are said to fit badly") {
    const std::vector<IntensityCount> counts{{1.0, 1000, 0}, {2.0, 1000, 500}, {3.0, 1000, 500}, {4.0, 1000, 1000}};
    const LognormalFit fit = fit_lognormal(counts);
    REQUIRE(fit.state == FitState::fitted);
    CHECK(fit.probability < 1e-6);
}

TEST_CASE("In another unit of intensity the median scales and the dispersion stays") {
    const LognormalFit one = fit_lognormal(expected_counts(1.4, 0.35, 1000));
    const LognormalFit other = fit_lognormal(expected_counts(1.4, 0.35, 1000, 9.81));
    CHECK(other.median == Approx(9.81 * one.median).epsilon(1e-9));
    CHECK(other.dispersion == Approx(one.dispersion).epsilon(1e-9));
    CHECK(other.deviance == Approx(one.deviance).epsilon(1e-6).margin(1e-9));
}

TEST_CASE("Counts that rise at once are a step between two values") {
    const std::vector<IntensityCount> counts{{1.0, 10, 0}, {2.0, 10, 0}, {4.0, 10, 10}, {5.0, 10, 10}};
    const LognormalFit fit = fit_lognormal(counts);
    REQUIRE(fit.state == FitState::step);
    CHECK(fit.bracket_low == 2.0);
    CHECK(fit.bracket_high == 4.0);
    CHECK(fit.median == Approx(std::sqrt(8.0)));
    CHECK(fit.dispersion == 0.0);
    CHECK(fit.at(2.0) == 0.0);
    CHECK(fit.at(4.0) == 1.0);
}

TEST_CASE("A part at one value only is a step about this value") {
    const std::vector<IntensityCount> counts{{1.0, 10, 0}, {2.0, 10, 3}, {4.0, 10, 10}};
    const LognormalFit fit = fit_lognormal(counts);
    REQUIRE(fit.state == FitState::step);
    CHECK(fit.median == 2.0);
    CHECK(fit.bracket_low == 1.0);
    CHECK(fit.bracket_high == 4.0);
}

TEST_CASE("Counts that do not tell where overturning begins are called uninformative") {
    using Counts = std::vector<IntensityCount>;
    CHECK(fit_lognormal(Counts{{1.0, 10, 0}, {2.0, 10, 0}}).state == FitState::none_falls);
    CHECK(fit_lognormal(Counts{{1.0, 10, 10}, {2.0, 10, 10}}).state == FitState::all_fall);
    CHECK(fit_lognormal(Counts{{1.0, 10, 0}, {2.0, 10, 4}}).state == FitState::too_few);
    CHECK(fit_lognormal(Counts{{1.0, 10, 4}, {2.0, 10, 10}}).state == FitState::too_few);
    CHECK(fit_lognormal(Counts{{1.0, 10, 4}}).state == FitState::too_few);
    CHECK(fit_lognormal(Counts{{1.0, 10, 8}, {2.0, 10, 5}, {3.0, 10, 2}}).state == FitState::not_rising);
    CHECK(fit_lognormal(Counts{{1.0, 10, 5}, {2.0, 10, 5}, {3.0, 10, 5}}).state == FitState::not_rising);
    CHECK(fit_lognormal(Counts{}).state == FitState::no_runs);
    CHECK(fit_lognormal(Counts{{1.0, 0, 0}}).state == FitState::no_runs);
}

TEST_CASE("Values without runs, as in a partial study, do not count") {
    std::vector<IntensityCount> counts = expected_counts(1.4, 0.35, 1000);
    const LognormalFit whole = fit_lognormal(counts);
    counts.insert(counts.begin(), {0.1, 0, 0});
    const LognormalFit fit = fit_lognormal(counts);
    CHECK(fit.median == Approx(whole.median).epsilon(1e-12));
    CHECK(fit.degrees == whole.degrees);
}

TEST_CASE("Far into the tails the fit stays finite") {
    const std::vector<IntensityCount> counts{
        {1e-6, 1'000'000, 0}, {1.0, 1'000'000, 1}, {1.1, 1'000'000, 999'999}, {1e6, 1'000'000, 1'000'000}};
    const LognormalFit fit = fit_lognormal(counts);
    REQUIRE(fit.state == FitState::fitted);
    CHECK(fit.median > 1.0);
    CHECK(fit.median < 1.1);
    CHECK(std::isfinite(fit.dispersion));
}

TEST_CASE("A median outside the values is called extrapolated, one outside all numbers not rising") {
    using Counts = std::vector<IntensityCount>;
    const LognormalFit far = fit_lognormal(Counts{{1.0, 100, 1}, {2.0, 100, 0}, {3.0, 100, 1}, {4.0, 100, 1}});
    CHECK((far.state == FitState::extrapolated || far.state == FitState::not_rising));
    const LognormalFit near = fit_lognormal(Counts{{1.0, 100, 5}, {2.0, 100, 20}, {3.0, 100, 40}});
    CHECK(near.state == FitState::extrapolated);
    CHECK(near.median > 3.0);
    CHECK(is_informative(near.state));
    const LognormalFit flat =
        fit_lognormal(Counts{{1.0, 1'000'000, 300'000}, {2.0, 1'000'000, 300'003}, {3.0, 1'000'000, 300'000}});
    CHECK(flat.state == FitState::not_rising);
}

TEST_CASE("Values over many powers of ten are fitted, and where the curve starts does not show") {
    const std::vector<IntensityCount> counts{{1e-9, 10, 3}, {1.0, 10, 4}, {1e9, 10, 9}};
    const LognormalFit fit = fit_lognormal(counts);
    REQUIRE(fit.state == FitState::fitted);
    double score_a = 0.0, score_b = 0.0;  // of the likelihood at its maximum
    for (const IntensityCount& one : counts) {
        const double z = std::log(one.intensity / fit.median) / fit.dispersion, p = fit.at(one.intensity);
        const double slope = std::exp(-0.5 * z * z) * (static_cast<double>(one.overturned) - 10 * p) / (p * (1 - p));
        score_a += slope;
        score_b += slope * std::log(one.intensity);
    }
    CHECK(score_a == Approx(0.0).margin(1e-5));
    CHECK(score_b == Approx(0.0).margin(1e-3));
}

TEST_CASE("The deviance counts motions: members that do what their motion says do not make it larger") {
    const std::vector<IntensityCount> counts{{0.01, 20, 0}, {1.0, 20, 3}, {1.5, 20, 9}, {2.0, 20, 13}, {90.0, 20, 20}};
    std::vector<IntensityCount> with_members = counts;
    for (IntensityCount& one : with_members) one.runs *= 50, one.overturned *= 50;
    const LognormalFit one = fit_lognormal(counts), other = fit_lognormal(with_members, 50.0);
    CHECK(other.deviance == Approx(one.deviance));
    CHECK(other.degrees == 1);  // at the first and the last value everything stands or falls
    CHECK(other.probability == Approx(one.probability));
}
