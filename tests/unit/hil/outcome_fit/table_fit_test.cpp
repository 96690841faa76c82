// What a table teaches, and how it is judged.
#include <cmath>

#include "hil/experiment/learned_prior.hpp"
#include "hil/files/errors.hpp"
#include "hil/outcome_fit/fit_output.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/made_up_outcomes.hpp"

using namespace topple;
using namespace topple::tests;
using namespace topple::hil::outcome_fit;
using Catch::Matchers::ContainsSubstring;

namespace {

const OutcomeTruth kTruth{0.05, 0.0, 0.0};
const std::string kExperiment = outcome_template(kWidePrior);

TableFit fit_of(const std::string& csv, const std::string& experiment = kExperiment, FitRequest request = {}) {
    const TemporaryFolder folder;
    const auto alone = hil::cluster::alone();
    FitRequest usual = outcome_request(*alone);
    usual.learned = request.learned;
    usual.prior = request.prior;
    usual.folds = request.folds;
    usual.likelihood.lapse = request.likelihood.lapse;
    return fit_table(tests_in(folder, csv, experiment), usual);
}

std::string refusal(const std::string& csv, const std::string& experiment = kExperiment, FitRequest request = {}) {
    try {
        fit_of(csv, experiment, std::move(request));
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "no error";
}

std::string table_of(std::size_t tests, std::uint64_t seed = 11) {
    const TemporaryFolder folder;
    return made_up_table(folder, tests, kExperiment, kTruth, seed);
}

/// Far below uplift: whatever the block is, it stands still.
std::string still_table() {
    std::string text = "test,amplitude_m_s2,outcome\n";
    for (int i = 0; i < 12; ++i) text += fmt::format("{},{},T\n", i, 0.2 + 0.01 * i);
    return text;
}

}  // namespace

TEST_CASE("outcomes move the width towards the truth, and more of them narrow it") {
    const auto few = fit_of(table_of(12)), many = fit_of(table_of(60));
    const hil::learn::Marginal &of_few = fitted(few.specimens.front(), "width").marginal,
                               &of_many = fitted(many.specimens.front(), "width").marginal;
    CHECK(of_many.is_informative);
    CHECK(of_many.deviation < 0.5 * 0.05);
    CHECK(of_many.deviation < of_few.deviation);
    CHECK(std::abs(of_many.mean - kTruth.width) < 3.0 * of_many.deviation);
    CHECK(many.by_others.overturning.tests == 60);
    CHECK(many.folds == many.tests.units);
}

TEST_CASE("tests that every specimen explains alike give the prior back to the digit") {
    const TableFit fit = fit_of(still_table());
    const SpecimenFit& one = fit.specimens.front();
    CHECK_FALSE(one.is_informative);
    for (const FittedParameter& each : one.learned) {
        CHECK_FALSE(each.marginal.is_informative);
        CHECK(each.posterior.kind == each.parameter.prior.kind);
        CHECK(each.posterior.centre == each.parameter.prior.centre);
        CHECK(each.posterior.spread == each.parameter.prior.spread);
    }
    CHECK_THAT(fit_text(fit), ContainsSubstring("uninformative"));
    CHECK_THAT(learned_toml(fit, one, "m.csv", ""), ContainsSubstring("verdict = \"uninformative\""));
}

TEST_CASE("a parameter that the outcomes do not reach keeps its prior beside one that they teach") {
    // Uplift alone: restitution has no part in it.
    std::string text = "test,amplitude_m_s2,outcome\n";
    for (int i = 0; i < 24; ++i) {
        const double amplitude = 1.8 + 0.04 * i;
        text += fmt::format("{},{},{}\n", i, amplitude, amplitude > 2.3 ? "R" : "T");
    }
    const auto experiment = outcome_template(
        "width = { normal = 0.05 }\nrestitution = { normal = 0.02 }\ntilt_rad = { fixed = true }\n"
        "amplitude = { normal = 0.02 }\n");
    const TableFit fit = fit_of(text, experiment);
    const SpecimenFit& one = fit.specimens.front();
    CHECK(fitted(one, "width").marginal.is_informative);
    CHECK_FALSE(fitted(one, "restitution").marginal.is_informative);
    CHECK(fitted(one, "restitution").posterior.spread == 0.02);
    CHECK(fitted(one, "restitution").posterior.centre == 0.0);
}

TEST_CASE("one test that contradicts all others is told and does not decide") {
    const std::string sound = table_of(40);
    const std::string contradicted = sound + "mistaken,0.3,3.5,O\n";
    const TableFit without = fit_of(sound), with = fit_of(contradicted);
    const auto &width = fitted(without.specimens.front(), "width").marginal,
               &beside = fitted(with.specimens.front(), "width").marginal;
    CHECK(std::abs(width.mean - beside.mean) < 0.5 * width.deviation);
    const auto unlikely = unlikely_tests(with, 5);
    REQUIRE_FALSE(unlikely.empty());
    CHECK(unlikely.front().test->by_others.name == "mistaken");
    CHECK_THAT(fit_text(with), ContainsSubstring("(mistaken): overturned, foretold with 0.0 %"));
}

TEST_CASE("what is foretold of a test does not depend on how it ended") {
    // The first test alone tells the width here: fitted to itself, it would be foretold as it ended.
    std::string rest;
    for (int i = 0; i < 12; ++i) rest += fmt::format("{},0.3,3.5,T\n", i);
    const std::string head = "test,amplitude_m_s2,frequency_hz,outcome\n";
    const auto foretold = [&](const char* outcome) {
        return fit_of(head + "first,2.18,3.5," + outcome + "\n" + rest).specimens.front().foretold.front();
    };
    const auto stood_still = solver::outcome_code(solver::Outcome::translation);
    const ForetoldTest one = foretold("T"), other = foretold("R");
    CHECK(one.by_others.probability[stood_still] == Approx(other.by_others.probability[stood_still]).margin(0.1));
    CHECK(one.by_others.probability[stood_still] == Approx(one.by_prior.probability[stood_still]).margin(0.1));
    CHECK(one.by_prior.probability[stood_still] > 0.1);
}

TEST_CASE("repeats of a test are held out together") {
    std::string text = "test,amplitude_m_s2,outcome\n";
    for (int i = 0; i < 15; ++i) text += fmt::format("{},{},{}\n", i, 2.0 + 0.1 * (i / 3), i / 3 > 2 ? "R" : "T");
    const TableFit fit = fit_of(text);
    CHECK(fit.tests.units == 5);
    CHECK(fit.folds == 5);
    CHECK_THAT(fit.by_others.uninformative, ContainsSubstring("overturned in any"));
    CHECK(fit.gain.verdict == hil::scores::Verdict::uninformative);
}

TEST_CASE("the result depends on neither threads nor the time of day") {
    const TemporaryFolder folder;
    const auto alone = hil::cluster::alone();
    FitRequest one = outcome_request(*alone), two = one;
    one.likelihood.threads = 1;
    two.likelihood.threads = 3;
    const std::string csv = table_of(10);
    CHECK(fit_json(fit_table(tests_in(folder, csv, kExperiment), one)) ==
          fit_json(fit_table(tests_in(folder, csv, kExperiment), two)));
}

TEST_CASE("a members table has a column for everything that is open and as many rows as were asked for") {
    const TableFit fit = fit_of(table_of(20));
    const std::string csv = members_csv(fit.specimens.front());
    const auto header = csv.find("weight,restitution,width,tilt_rad,amplitude\n1,");
    REQUIRE(header != std::string::npos);
    CHECK(std::count(csv.begin() + static_cast<std::ptrdiff_t>(header), csv.end(), '\n') == 201);
    double sum = 0.0;
    for (const auto& member : fit.specimens.front().members) sum += member[1] - 1.0;
    const auto& width = fitted(fit.specimens.front(), "width").marginal;
    CHECK(sum / 200.0 == Approx(width.mean).margin(0.3 * width.deviation));  // 4 standard errors of 200 draws
}

TEST_CASE("a learned file is a prior of the same specimen and of no other") {
    const TemporaryFolder folder;
    const TableFit fit = fit_of(table_of(30));
    const auto prior = hil::experiment::read_learned_prior(
        folder.write("learned.toml", learned_toml(fit, fit.specimens.front(), "learned_members.csv", "now")));
    CHECK(prior.learned.size() == 3);
    CHECK(hil::experiment::not_of(prior, fit.specimens.front().specimen).empty());
    solver::Specimen other = fit.specimens.front().specimen;
    other.blocks.front().width_m = 0.061;
    CHECK_THAT(hil::experiment::not_of(prior, other), ContainsSubstring("block_0_width_m = 0.06 there, 0.061 here"));
    const auto width = static_cast<std::size_t>(solver::SpecimenParameter::width);
    CHECK(prior.of.width.centre == Approx(fitted(fit.specimens.front(), "width").posterior.centre));
    CHECK((*prior.of.correlation)[width][width] > 0.0);
    FitRequest again;
    again.prior = prior;
    CHECK_THAT(refusal(table_of(30), kExperiment, again), ContainsSubstring("it would count twice"));
}

TEST_CASE("specimens of one table are learned each on its own") {
    const TemporaryFolder folder;
    const auto alone = hil::cluster::alone();
    std::string text = "test,width_m,amplitude_m_s2,frequency_hz,outcome\n";
    for (int i = 0; i < 12; ++i)
        text += fmt::format("{},{},{},3.5,{}\n", i, i % 2 ? 0.06 : 0.08, 1.9 + 0.1 * i, i > 6 ? "R" : "T");
    const TableFit fit = fit_table(tests_in(folder, text, kExperiment), outcome_request(*alone));
    REQUIRE(fit.specimens.size() == 2);
    CHECK(learned_name(fit.specimens[0]) == "learned_specimen.toml");
    CHECK(learned_name(fit.specimens[1]) == "learned_specimen_2.toml");
    CHECK(fit.by_others.tests.size() == 12);
}

TEST_CASE("a table that cannot teach is refused with the reason") {
    CHECK_THAT(refusal("test,amplitude_m_s2,outcome\n1,3,?\n"), ContainsSubstring("none of its 1 rows can teach"));
    CHECK_THAT(refusal("test,amplitude_m_s2,outcome\n1,3,lost\n"), ContainsSubstring("\"lost\" is no outcome"));
    CHECK_THAT(refusal("test,amplitude_m_s2,outcome,uncertainty.width\n1,3,T,0.1\n"),
               ContainsSubstring("the prior of all rows"));
    CHECK_THAT(refusal(still_table(), outcome_template("width = { fixed = true }\nrestitution = { fixed = true }\n"
                                                       "tilt_rad = { fixed = true }\n")),
               ContainsSubstring("leaves nothing open"));
    FitRequest request;
    request.learned = {"friction"};
    CHECK_THAT(refusal(still_table(), kExperiment, request), ContainsSubstring("--parameters friction: no parameter"));
}
