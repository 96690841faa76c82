#include "hil/compare/why.hpp"

#include "hil/compare/predicted_numbers.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::hil::compare;
using Catch::Matchers::ContainsSubstring;
using solver::Outcome;

namespace {

std::vector<hil::plan::EnsembleMember> members(std::size_t rocking, std::size_t overturning) {
    std::vector<hil::plan::EnsembleMember> list(rocking, {Outcome::rocking, {}});
    list.insert(list.end(), overturning, {Outcome::overturning, {}});
    return list;
}

Agreement agreement(std::optional<AgreementVerdict> verdict, const std::string& worst = "outcome",
                    const std::string& unit = "") {
    Agreement a;
    a.verdict = verdict;
    a.probability = verdict == AgreementVerdict::inconsistent ? 0.02 : 0.5;
    Criterion criterion;
    criterion.name = worst;
    criterion.unit = unit;
    criterion.probability = 0.01;
    a.criteria.push_back(criterion);
    return a;
}

PartEffect part(MotionPart kind, double size, std::size_t rocking, std::size_t overturning, double peak_rad,
                const MotionEffect& planned) {
    PartEffect one{.part = kind,
                   .size = size,
                   .effect = {rocking >= overturning ? Outcome::rocking : Outcome::overturning, peak_rad,
                              members(rocking, overturning)}};
    compare_effects(planned, one);
    return one;
}

/// Amplitude 3 % low: overturning becomes rocking.
Attribution low_amplitude() {
    Attribution a;
    a.why_not.clear();
    a.planned = {Outcome::overturning, 1.5, members(60, 140)};
    a.parts = {part(MotionPart::amplitude, -0.03, 180, 20, 0.1, a.planned),
               part(MotionPart::frequency, 0.001, 62, 138, 1.5, a.planned),
               part(MotionPart::delay, 0.009, 60, 140, 1.5, a.planned),
               part(MotionPart::residual, 0.01, 61, 139, 1.5, a.planned)};
    return a;
}

ModelComparison models(Outcome described, Outcome housner) {
    ModelComparison m;
    m.models.push_back({.name = "as described",
                        .what = "",
                        .note = "",
                        .outcome = described,
                        .direction = {},
                        .peak_rotation_rad = {},
                        .impacts_s = {},
                        .overturn_time_s = {},
                        .settled_time_s = {}});
    m.models.push_back({.name = "housner",
                        .what = "",
                        .note = "",
                        .outcome = housner,
                        .direction = {},
                        .peak_rotation_rad = {},
                        .impacts_s = {},
                        .overturn_time_s = {},
                        .settled_time_s = {}});
    return m;
}

constexpr auto kConsistent = AgreementVerdict::consistent;
constexpr auto kInconsistent = AgreementVerdict::inconsistent;
constexpr auto kUninformative = AgreementVerdict::uninformative;

struct Case {
    Agreement blind = agreement(kConsistent), achieved = agreement(kConsistent);
    std::vector<hil::plan::EnsembleMember> blind_members = members(200, 0), achieved_members = members(200, 0);
    std::optional<Outcome> measured = Outcome::rocking;
    Attribution attribution = low_amplitude();
    ModelComparison all = models(Outcome::rocking, Outcome::rocking);
    Why why() const {
        return explain_why({blind, achieved, blind_members, achieved_members, measured, attribution, all});
    }
};

}  // namespace

TEST_CASE("As predicted: the likeliest outcome before and after") {
    Case c;
    c.blind_members = members(146, 54);
    CHECK(c.why().cause == Cause::as_predicted);
    CHECK_THAT(c.why().text, ContainsSubstring("73 % of the ensemble along the planned motion, 100 % along"));
    c.achieved = agreement(kUninformative);
    CHECK_THAT(c.why().text, ContainsSubstring("too wide"));
}

TEST_CASE("A test of another plan: the blind prediction is not judged and the table is not blamed") {
    Case c;
    c.blind = agreement(std::nullopt);
    c.blind.reasons = {"from t = 0.100 s on the motion was not the planned one, to protect the specimens"};
    c.blind_members = members(0, 200);
    CHECK(c.why().cause == Cause::other_plan);
    CHECK_THAT(c.why().text,
               ContainsSubstring("to protect the specimens. The prediction from the achieved motion agrees"));
    c.achieved = agreement(kInconsistent);
    CHECK(c.why().cause == Cause::model_or_parameters);
}

TEST_CASE("What stays below the sensor's threshold is as predicted, not chance of 0 %") {
    Case c;
    c.measured = Outcome::translation;
    CHECK(c.why().cause == Cause::as_predicted);
    CHECK_THAT(c.why().text,
               ContainsSubstring("100 % rocking) stays below what it resolves, and reads as translation"));
}

TEST_CASE("The table: the blind outcome missed, the one from the achieved motion agrees, and the part is named") {
    Case c;
    c.blind = agreement(kInconsistent);
    c.blind_members = members(60, 140);
    CHECK(c.why().cause == Cause::table);
    CHECK_THAT(c.why().text, ContainsSubstring("because the table's amplitude was 3.0 % low (the prediction from the "
                                               "achieved motion agrees); this alone: overturning -> rocking"));
    c.attribution.parts.erase(c.attribution.parts.begin());
    CHECK_THAT(c.why().text, ContainsSubstring("only all of them together"));
    c.attribution = {};
    CHECK_THAT(c.why().text, ContainsSubstring("not known"));
}

TEST_CASE("The table: equal outcomes, but times too late for the blind prediction are the delay's") {
    Case c;
    c.blind = agreement(kInconsistent, "time of impact 1", "s");
    CHECK(c.why().cause == Cause::table);
    CHECK_THAT(c.why().text, ContainsSubstring("the table's start was 9.0 ms late"));
}

TEST_CASE("The table: equal outcomes, but a peak that differs is of the part that moves the peak") {
    Case c;
    c.blind = agreement(kInconsistent, "peak rotation of block 0", "rad");
    c.attribution.planned = {Outcome::rocking, 0.1, members(200, 0)};
    c.attribution.parts = {part(MotionPart::amplitude, 0.002, 200, 0, 0.1002, c.attribution.planned),
                           part(MotionPart::frequency, -0.02, 200, 0, 0.13, c.attribution.planned),
                           part(MotionPart::delay, 0.02, 200, 0, 0.1, c.attribution.planned),
                           part(MotionPart::residual, 0.01, 200, 0, 0.101, c.attribution.planned)};
    CHECK_THAT(c.why().text, ContainsSubstring("the table's frequency was 2.00 % low"));
}

TEST_CASE("Chance: within the spread, but not the likeliest") {
    Case c;
    c.blind_members = c.achieved_members = members(54, 146);
    CHECK(c.why().cause == Cause::chance);
    CHECK_THAT(c.why().text, ContainsSubstring("27 %"));
}

TEST_CASE("The model: no member does what was measured, another model does") {
    Case c;
    c.achieved = c.blind = agreement(kInconsistent);
    c.measured = Outcome::overturning;
    c.all = models(Outcome::rocking, Outcome::overturning);
    CHECK(c.why().cause == Cause::model);
    CHECK_THAT(c.why().text, ContainsSubstring("another model does: housner"));
    CHECK_THAT(c.why().text,
               ContainsSubstring("The models disagree on the outcome: rocking (as described); overturning "
                                 "(housner)"));
}

TEST_CASE("Model or parameters: nobody does what was measured, or too few as much") {
    Case c;
    c.achieved = agreement(kInconsistent, "apparent restitution");
    CHECK(c.why().cause == Cause::model_or_parameters);
    CHECK_THAT(c.why().text, ContainsSubstring("the least expected is the apparent restitution"));
    c.measured = Outcome::overturning;
    CHECK(c.why().cause == Cause::model_or_parameters);
    CHECK_THAT(c.why().text, ContainsSubstring("No member of the ensemble and no other model"));
}

TEST_CASE("Not judged: the reason is repeated") {
    Case c;
    c.achieved = agreement(std::nullopt);
    c.achieved.reasons = {"nothing was measured"};
    CHECK(c.why().cause == Cause::not_judged);
    CHECK(c.why().text == "Not judged: nothing was measured.");
}

TEST_CASE("Every model of the list that covers a specimen predicts it, those that assume a number say so") {
    const auto experiment = tests::b6l_sine();
    const auto& motion = experiment.excitation.planned_motion();
    const ModelComparison block = compare_models(experiment.specimens.front(), {}, motion, 9.81);
    CHECK_FALSE(block.along_achieved);
    CHECK(block.with(Outcome::rocking) == std::vector<std::string>{"as described", "housner", "slide_rock",
                                                                   "quasi_linear", "linearised", "impulsive_force"});
    CHECK_FALSE(block.disagree());
    CHECK_THAT(block.models[2].note, ContainsSubstring("assumed"));
    CHECK(block.models[0].peak_rotation_rad.front() ==
          Approx(solver::predict(experiment.specimens.front(), motion).peak_rotation_rad.front()));
    CHECK(block.models[1].settled_time_s < block.models[0].settled_time_s);  // Housner's ratio loses more
    const auto stack = tests::example("stack_db3m6m.toml");
    const ModelComparison of_stack =
        compare_models(stack.specimens.front(), {}, stack.excitation.planned_motion(), 9.81);
    CHECK(of_stack.models.size() == 1);
    CHECK(models(Outcome::rocking, Outcome::overturning).disagree());
}

TEST_CASE("Predicted numbers are those of the members with the outcome that was measured") {
    std::vector<HistoryNumbers> list;
    for (int i = 0; i <= 100; ++i) list.push_back({Outcome::rocking, {0.1 + 0.001 * i, std::nullopt}});
    for (int i = 0; i < 5; ++i) list.push_back({Outcome::overturning, {std::nullopt, 2.0}});
    list.push_back({std::nullopt, {}});
    const auto rocking = spread_of(list, Outcome::rocking);
    REQUIRE(rocking.size() == 2);
    CHECK(*rocking[0].median == Approx(0.15));
    CHECK(*rocking[0].low == Approx(0.105));
    CHECK(*rocking[0].high == Approx(0.195));
    CHECK_FALSE(rocking[1].median);
    CHECK_FALSE(spread_of(list, Outcome::overturning)[1].median);  // five members show no spread
    CHECK(spread_of(list, Outcome::overturning)[1].members == 5);
}
