#include "hil/compare/attribution.hpp"

#include <cmath>
#include <numbers>

#include "tests/support/catch.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::hil::compare;
using tests::SyntheticRun;

namespace {

constexpr double kW_rad_s = 4.0 * std::numbers::pi;  // 2 Hz: overturning is within reach of the table

hil::experiment::Experiment sine_of(double amplitude_m_s2) {
    auto experiment = tests::b6l_sine();
    experiment.excitation.amplitude_m_s2 = amplitude_m_s2;
    experiment.excitation.angular_frequency_rad_s = kW_rad_s;
    experiment.excitation.motion = solver::sine_acceleration(amplitude_m_s2, kW_rad_s);
    experiment.excitation.table_motion.reset();
    return experiment;
}

solver::Prediction described(double amplitude_m_s2) {
    return solver::predict(tests::b6l_sine().specimens.front(), solver::sine_acceleration(amplitude_m_s2, kW_rad_s));
}

/// The least amplitude at which the specimen as described overturns, to 0.2 %.
double critical_amplitude_m_s2() {
    double low = 2.3, high = 2.3;
    while (!solver::is_overturning(described(high).outcome)) low = high, high *= 1.02;
    while (high / low > 1.002) {
        const double middle = 0.5 * (low + high);
        (solver::is_overturning(described(middle).outcome) ? high : low) = middle;
    }
    return high;
}

Attribution attributed(const SyntheticRun& run) {
    const AchievedMotion motion = identify_achieved_motion(tests::record(run), run.experiment.table.description);
    return attribute(run.experiment.specimens.front(), run.experiment, motion,
                     identify_excitation(motion, run.experiment.excitation));
}

const PartEffect& part(const Attribution& attribution, MotionPart wanted) {
    return attribution.parts.at(static_cast<std::size_t>(wanted));
}

MotionEffect effect(std::size_t rocking, std::size_t overturning, std::optional<solver::Outcome> outcome) {
    MotionEffect effect{.outcome = outcome, .peak_rad = 0.1, .members = {}};
    effect.members.insert(effect.members.end(), rocking, {solver::Outcome::rocking, {}});
    effect.members.insert(effect.members.end(), overturning, {solver::Outcome::overturning, {}});
    return effect;
}

}  // namespace

TEST_CASE("An amplitude error that alone overturns the specimen is named, the others are not") {
    SyntheticRun run{.experiment = sine_of(0.985 * critical_amplitude_m_s2())};
    run.scale = 1.03;
    run.delay_s = 0.006;
    const Attribution result = attributed(run);
    INFO(result.why_not);
    REQUIRE(result.evaluated());
    REQUIRE(result.decisive());
    CHECK(result.decisive()->part == MotionPart::amplitude);
    CHECK(part(result, MotionPart::amplitude).size == Approx(0.03).margin(0.003));
    CHECK(part(result, MotionPart::amplitude).changes_outcome);
    CHECK(result.planned.outcome == solver::Outcome::rocking);
    CHECK(part(result, MotionPart::amplitude).effect.outcome == solver::Outcome::overturning);
    CHECK(part(result, MotionPart::amplitude).probability_change() > kProbabilityMoved);
    CHECK_FALSE(part(result, MotionPart::frequency).changes_outcome);
    CHECK_FALSE(part(result, MotionPart::delay).matters());
}

TEST_CASE("A pure delay is measured and not blamed") {
    SyntheticRun run{.experiment = sine_of(0.985 * critical_amplitude_m_s2())};
    run.delay_s = 0.03;
    const Attribution result = attributed(run);
    REQUIRE(result.evaluated());
    CHECK(part(result, MotionPart::delay).size == Approx(0.03).margin(5e-4));
    CHECK_FALSE(part(result, MotionPart::delay).matters());
    CHECK(part(result, MotionPart::delay).probability_change() == Approx(0.0).margin(1e-9));
    CHECK_FALSE(part(result, MotionPart::amplitude).changes_outcome);
    CHECK_FALSE(part(result, MotionPart::frequency).changes_outcome);
}

TEST_CASE("A frequency error and a residual are distinguished") {
    SyntheticRun run{.experiment = sine_of(2.6)};
    run.achieved = solver::sine_acceleration(2.6, 0.96 * kW_rad_s).shifted(0.004);
    CHECK(part(attributed(run), MotionPart::frequency).size == Approx(-0.04).margin(0.002));
    CHECK(part(attributed(run), MotionPart::residual).size < 0.05);
    run.achieved = solver::sine_acceleration(2.6, kW_rad_s).plus(solver::sine_acceleration(0.8, 6.0 * kW_rad_s, 6.0));
    const Attribution noisy = attributed(run);
    CHECK(std::abs(part(noisy, MotionPart::frequency).size) < 0.05);
    CHECK(part(noisy, MotionPart::residual).size > 0.2);
}

TEST_CASE("A record that went by too slowly is found by its time scale") {
    SyntheticRun run{.experiment = tests::example("record.toml")};
    run.achieved = run.experiment.excitation.planned_motion().scaled(0.97).faster(0.98).shifted(0.005);
    const Attribution result = attributed(run);
    INFO(result.why_not);
    REQUIRE(result.evaluated());
    CHECK(part(result, MotionPart::amplitude).size == Approx(-0.03).margin(0.005));
    CHECK(part(result, MotionPart::frequency).size == Approx(-0.02).margin(0.002));
    CHECK(part(result, MotionPart::delay).size == Approx(0.005).margin(0.002));
}

TEST_CASE("Without a motion, or with a reversed sign, nothing is attributed and the reason is given") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.scale = -1.0;
    CHECK_FALSE(attributed(run).evaluated());
    CHECK(attributed(run).why_not.find("reversed") != std::string::npos);
    run.experiment.excitation = hil::experiment::Excitation{};
    CHECK(attributed(run).why_not == "no motion was planned");
}

TEST_CASE("The outcome whose probability moves is named with both numbers, a part that moves little does not matter") {
    const MotionEffect planned = effect(146, 54, solver::Outcome::rocking);
    PartEffect one{.part = MotionPart::amplitude, .size = -0.012, .effect = effect(156, 44, solver::Outcome::rocking)};
    compare_effects(planned, one);
    CHECK(size_text(one) == "amplitude -1.20 %");
    CHECK(effect_text(one, planned) == "rocking -> rocking, P(overturning) 27 % -> 22 %");
    CHECK(one.matters());
    one.effect = effect(148, 52, solver::Outcome::rocking);
    compare_effects(planned, one);
    CHECK_FALSE(one.matters());
    one.effect = effect(146, 54, solver::Outcome::rocking);
    compare_effects(planned, one);
    CHECK(effect_text(one, planned) == "rocking -> rocking, probabilities unchanged");
    one.effect = effect(140, 60, solver::Outcome::overturning);
    compare_effects(planned, one);
    CHECK(one.changes_outcome);
    CHECK(one.matters());
}
