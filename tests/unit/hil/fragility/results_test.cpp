// What is said of counts that are made up: bands, crossings, efficiency, partial studies.
#include "hil/fragility/results.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "hil/experiment/models.hpp"
#include "hil/fragility/censored_normal.hpp"
#include "hil/fragility/outputs.hpp"
#include "solver/numerics/random_sequence.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using hil::fragility::CensoredValue;
using hil::fragility::Chunk;
using hil::fragility::Crossing;
using hil::fragility::FitState;
using hil::fragility::RunResult;
using hil::fragility::Study;
using hil::fragility::Tally;

namespace {

/// Noise that is never run.
Study made_up(std::size_t motions, const std::string& values, const std::string& more = "") {
    const std::string text =
        "name = \"made up\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.1\nheight_m = 0.4\nmass_kg = 2.0\n"
        "[fragility]\nintensity_measure = \"pga\"\nmembers = 0\nvalues_m_s2 = " +
        values + "\n" + more +
        "[[fragility.motions]]\ntype = \"noise\"\nrms_m_s2 = 1.0\nlow_hz = 0.5\nhigh_hz = 4.0\nduration_s = 2.0\n"
        "count = " +
        std::to_string(motions) + "\n";
    return hil::fragility::make_study(hil::experiment::read_experiment_text(text, "study.toml", ""), "", 1);
}

/// One motion's runs from `first` to `last`: those at or above `falls_from` overturn.
void add_motion(const Study& study, Tally& tally, std::size_t motion, double falls_from, std::size_t first,
                std::size_t last) {
    std::vector<RunResult> runs;
    for (std::size_t v = first; v <= last; ++v)
        runs.push_back({study.section.values[v] >= falls_from ? solver::Outcome::overturning : solver::Outcome::rocking,
                        std::nullopt, true, 5000});
    tally.add(Chunk{0, 0, motion, first, runs.size()}, runs);
}

/// Each motion overturns at a pga of its own, drawn from a lognormal.
hil::fragility::SpecimenResult with_scatter(const Study& study, double median, double dispersion) {
    Tally tally(study);
    solver::SplitMix64 random(3);
    for (std::size_t m = 0; m < study.motions.size(); ++m) {
        double normal = -6.0;
        for (int i = 0; i < 12; ++i) normal += random.uniform();
        add_motion(study, tally, m, median * std::exp(dispersion * normal), 0, study.value_count() - 1);
    }
    return hil::fragility::evaluate(study, tally, 1);
}

double dispersion_of(const hil::fragility::SpecimenResult& result, const std::string& measure) {
    for (const auto& one : result.efficiency)
        if (one.measure.name == measure) return one.dispersion;
    return std::nan("");
}

}  // namespace

TEST_CASE("Few values that not all motions cross do not make the study's own measure look better") {
    const auto wide = with_scatter(made_up(40, "\"1:8:141\""), 3.2, 0.15);
    const auto narrow = with_scatter(made_up(40, "\"2.9:3.5:13\""), 3.2, 0.15);
    REQUIRE(wide.crossed == 40);
    CHECK(narrow.crossed < 30);
    CHECK(narrow.judged() == 40);
    CHECK(dispersion_of(wide, "pga") == Approx(0.15).epsilon(0.3));
    CHECK(dispersion_of(narrow, "pga") == Approx(dispersion_of(wide, "pga")).epsilon(0.2));
}

TEST_CASE("A normal is found through values of which some are only bounds") {
    using Known = CensoredValue::Known;
    const auto exact = hil::fragility::fit_censored_normal(
        {{1.0, Known::exactly}, {2.0, Known::exactly}, {4.0, Known::exactly}, {5.0, Known::exactly}});
    REQUIRE(exact);
    CHECK(exact->mean == Approx(3.0));
    CHECK(exact->deviation == Approx(std::sqrt(10.0 / 3.0)));
    std::vector<CensoredValue> values;
    solver::SplitMix64 random(11);
    for (int i = 0; i < 20'000; ++i) {
        double value = -6.0;
        for (int k = 0; k < 12; ++k) value += random.uniform();
        value = 7.0 + 0.5 * value;
        values.push_back(value > 7.2   ? CensoredValue{7.2, Known::is_above}
                         : value < 6.6 ? CensoredValue{6.6, Known::is_below}
                                       : CensoredValue{value, Known::exactly});
    }
    const auto censored = hil::fragility::fit_censored_normal(values);
    REQUIRE(censored);
    CHECK(censored->mean == Approx(7.0).epsilon(0.002));
    CHECK(censored->deviation == Approx(0.5).epsilon(0.03));
    CHECK_FALSE(hil::fragility::fit_censored_normal({{1.0, Known::exactly}, {2.0, Known::is_above}}));
}

TEST_CASE("Resamplings in which nothing falls widen the band and are told") {
    const Study study = made_up(8, "[1, 2, 3, 4, 5]");
    Tally tally(study);
    for (std::size_t m = 0; m < 8; ++m) add_motion(study, tally, m, m == 0 ? 2.0 : m == 1 ? 4.0 : 99.0, 0, 4);
    const auto result = hil::fragility::evaluate(study, tally, 1);
    REQUIRE(is_informative(result.fit.state));
    CHECK(result.none_fell > 25);  // (6/8)^8 = 10 %
    REQUIRE(result.median_band);
    CHECK(std::isinf(result.median_band->high));
    CHECK(result.values.back().band->low == 0.0);
    CHECK_THAT(hil::fragility::resampling_words(result),
               Catch::Matchers::ContainsSubstring("nothing fell in " + std::to_string(result.none_fell)));
}

TEST_CASE("Motions without runs are not drawn: a partial study of one motion has no band") {
    const Study study = made_up(20, "[1, 2, 3, 4, 5, 6]");
    Tally one(study), two(study);
    add_motion(study, one, 3, 3.0, 0, 5);
    CHECK_FALSE(hil::fragility::evaluate(study, one, 1).median_band);
    for (const int m : {3, 4, 5, 6})
        add_motion(study, two, static_cast<std::size_t>(m), m == 3 ? 2.0 : 0.5 + 0.8 * m, 0, 5);
    const auto result = hil::fragility::evaluate(study, two, 1);
    CHECK(result.resamplings == 500);
    CHECK(result.none_fell + result.uninformative == 0);
}

TEST_CASE("No chunk done is not that nothing overturned") {
    const Study study = made_up(2, "[1, 2]");
    CHECK(hil::fragility::evaluate(study, Tally(study), 1).fit.state == FitState::no_runs);
}

TEST_CASE("A crossing lies between values that were run, or is a bound") {
    const Study study = made_up(4, "[1, 2, 3, 4]");
    Tally tally(study);
    add_motion(study, tally, 0, 3.5, 0, 0);  // 1 stands, 2 and 3 are not run, 4 falls
    add_motion(study, tally, 0, 3.5, 3, 3);
    add_motion(study, tally, 1, 3.5, 3, 3);   // 4 falls, nothing below is run
    add_motion(study, tally, 2, 99.0, 0, 2);  // stands up to 3
    const auto motions = hil::fragility::evaluate(study, tally, 1).motions;
    CHECK(motions[0].crossing.kind == Crossing::Kind::between);
    CHECK(motions[0].crossing.scale == Approx(std::sqrt(study.scale(0, 0) * study.scale(0, 3))));
    CHECK(motions[1].crossing.kind == Crossing::Kind::below);
    CHECK(motions[1].crossing.scale == study.scale(1, 3));
    CHECK(motions[2].crossing.kind == Crossing::Kind::above);
    CHECK(motions[2].crossing.scale == study.scale(2, 2));
    CHECK(motions[3].crossing.kind == Crossing::Kind::no_runs);
}

TEST_CASE("Uplifts that were not kept are empty, not none") {
    const Study study = made_up(2, "[1, 2]", "responses = [\"overturning\"]\n");
    Tally tally(study);
    add_motion(study, tally, 0, 2.0, 0, 1);
    const hil::fragility::Evaluated evaluated{study, {hil::fragility::evaluate(study, tally, 1)}, 1};
    CHECK_THAT(hil::fragility::curves_csv(evaluated), Catch::Matchers::ContainsSubstring("\n0,1,1,0,,0,"));
    CHECK_THAT(hil::fragility::counts_csv(evaluated, {tally}), Catch::Matchers::ContainsSubstring(",1,0,,0,"));
}

TEST_CASE("Any number of threads gives the same bands and the same curves without each motion") {
    const Study study = made_up(12, "\"1:6:11\"");
    Tally tally(study);
    solver::SplitMix64 random(5);
    for (std::size_t m = 0; m < 12; ++m) add_motion(study, tally, m, 1.5 + 4 * random.uniform(), 0, 10);
    const auto one = hil::fragility::evaluate(study, tally, 1), three = hil::fragility::evaluate(study, tally, 3);
    CHECK(one.median_band->low == three.median_band->low);
    CHECK(one.median_band->high == three.median_band->high);
    for (std::size_t m = 0; m < 12; ++m) {
        CHECK(one.motions[m].without.median == three.motions[m].without.median);
        Tally others(study);
        solver::SplitMix64 again(5);
        for (std::size_t k = 0; k < 12; ++k) {
            const double falls_from = 1.5 + 4 * again.uniform();
            if (k != m) add_motion(study, others, k, falls_from, 0, 10);
        }
        CHECK(hil::fragility::evaluate(study, others, 1).fit.median == one.motions[m].without.median);
    }
}
