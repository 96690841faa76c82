#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "hil/compare/conclusion.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::hil::compare;
using namespace topple::hil::run_log;
using tests::SyntheticRun;

namespace {

Conclusion concluded(const SyntheticRun& run, const std::vector<OperatorMark>& marks = {}) {
    return conclude(run.experiment, tests::record(run), marks);
}

const Criterion* criterion(const Agreement& agreement, const std::string& name) {
    const auto found = std::find_if(agreement.criteria.begin(), agreement.criteria.end(),
                                    [&](const Criterion& c) { return c.name == name; });
    return found == agreement.criteria.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("A specimen that is what the file says is consistent with the prediction from the achieved motion") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.scale = 0.98;
    const Conclusion c = concluded(run);
    const Agreement& agreement = c.specimens.front().agreement;
    for (const std::string& reason : agreement.reasons) UNSCOPED_INFO(reason);
    CHECK(agreement.verdict == AgreementVerdict::consistent);
    REQUIRE(criterion(agreement, "apparent restitution"));
    CHECK(*criterion(agreement, "apparent restitution")->measured ==
          Approx(agreement.restitution_predicted->ratio).margin(0.005));
    const Criterion* peak = criterion(agreement, "peak rotation of block 0");
    REQUIRE(peak);
    CHECK(peak->counts);
    CHECK(peak->spread <= kPeakCap_ratio);
    CHECK(*peak->low < *peak->measured);
    CHECK(*peak->high > *peak->measured);
    CHECK(peak->probability > kInconsistentBelow);
    CHECK(agreement.counted() > 0);
}

TEST_CASE("A restitution 5 percent below the file's makes the verdict inconsistent, by the apparent restitution") {
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        SyntheticRun run{.experiment = tests::b6l_sine()};
        run.restitution_factor = 0.95;
        run.seed = seed;
        const Conclusion c = concluded(run);
        const Agreement& agreement = c.specimens.front().agreement;
        INFO("seed " << seed);
        CHECK(agreement.verdict == AgreementVerdict::inconsistent);
        CHECK(agreement.outcome_equal == true);
        REQUIRE(criterion(agreement, "apparent restitution"));
        const Criterion* restitution = criterion(agreement, "apparent restitution");
        CHECK(*restitution->measured == Approx(0.95 * *restitution->median).epsilon(0.01));
        CHECK(restitution->probability <= kInconsistentBelow);
    }
}

TEST_CASE("Differences of one standard deviation in restitution, tilt and width are not inconsistent") {
    for (const double sign : {-1.0, 1.0}) {
        SyntheticRun run{.experiment = tests::b6l_sine()};
        run.restitution_factor = 1.0 + sign * 0.015;
        run.tilt_rad = sign * 0.002;
        run.width_factor = 1.0 - sign * 0.005;
        const Conclusion c = concluded(run);
        const Agreement& agreement = c.specimens.front().agreement;
        INFO("sign " << sign);
        for (const std::string& reason : agreement.reasons) UNSCOPED_INFO(reason);
        CHECK(agreement.outcome_equal == true);
        CHECK(agreement.verdict != AgreementVerdict::inconsistent);
    }
}

TEST_CASE("Without a measurement there is no verdict: nothing is copied from the prediction") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.rotation_sensor = false;
    const Conclusion c = concluded(run);
    CHECK_FALSE(c.specimens.front().measured.outcome.has_value());
    CHECK_FALSE(c.specimens.front().agreement.verdict.has_value());
    CHECK_FALSE(overall_verdict(c).has_value());
}

TEST_CASE("A marked outcome is compared by outcome and side only") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.rotation_sensor = false;
    const OperatorMark rocked{.specimen = 0, .outcome = solver::Outcome::rocking, .side = {}, .discard_reason = {}};
    CHECK(concluded(run, {rocked}).specimens.front().agreement.verdict == AgreementVerdict::consistent);
    const OperatorMark fell{.specimen = 0, .outcome = solver::Outcome::overturning, .side = {}, .discard_reason = {}};
    CHECK(concluded(run, {fell}).specimens.front().agreement.verdict == AgreementVerdict::inconsistent);
}

TEST_CASE("A discarded test has no verdict and keeps the reason") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    const OperatorMark mark{.specimen = 0, .outcome = {}, .side = {}, .discard_reason = "block was touched"};
    const Conclusion c = concluded(run, {mark});
    CHECK_FALSE(overall_verdict(c).has_value());
    CHECK(c.specimens.front().agreement.reasons.front().find("block was touched") != std::string::npos);
}

TEST_CASE("A stopped test is concluded as stopped and judged by nobody") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.stop_s = 0.12;
    const Conclusion c = concluded(run);
    CHECK(c.status == RunStatus::stopped);
    CHECK(c.status_reason.find("Ctrl-C") != std::string::npos);
    CHECK_FALSE(overall_verdict(c).has_value());
    CHECK(c.specimens.front().measured.has_rotation());
    CHECK_FALSE(c.identified.evaluated);
}

TEST_CASE("A log that ends in the middle of the motion is incomplete") {
    const SyntheticRun run{.experiment = tests::b6l_sine()};
    RunData data = tests::record(run);
    std::erase_if(data.feedback, [](const auto& f) { return f.device_time_us > 5'100'000; });
    std::erase_if(data.events, [](const auto& e) { return e.device_time_us > 5'100'000; });
    const Conclusion c = conclude(run.experiment, data, {});
    CHECK(c.status == RunStatus::incomplete);
    CHECK_FALSE(overall_verdict(c).has_value());
}

TEST_CASE("A test that ends before its motion began has no measured outcome and blames no wiring") {
    const SyntheticRun run{.experiment = tests::b6l_sine()};
    RunData data = tests::record(run);
    std::erase_if(data.feedback, [](const auto& f) { return f.device_time_us > 4'600'000; });
    std::erase_if(data.events, [](const auto& e) { return e.kind != EventKind::recording_start; });
    data.events.push_back({4'600'000, EventKind::stop_requested, "Ctrl-C"});
    const Conclusion c = conclude(run.experiment, data, {});
    CHECK(c.status == RunStatus::stopped);
    CHECK(c.status_reason == "Ctrl-C, before the motion began");
    CHECK_FALSE(c.specimens.front().measured.outcome.has_value());
    CHECK(c.specimens.front().measured.source == MeasurementSource::none);
    CHECK_FALSE(c.identified.sign_reversed);
    CHECK(c.motion.empty());
}

TEST_CASE("A predicted uplift below what the sensor can see does not contradict a block seen at rest") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.scale = 2.20 / 3.0;  // the uplift threshold is 2.18 m/s2
    run.tilt_rad = -0.004;
    const Conclusion c = concluded(run);
    REQUIRE(c.specimens.front().achieved.prediction.outcome == solver::Outcome::rocking);
    REQUIRE(c.specimens.front().measured.outcome == solver::Outcome::translation);
    CHECK(c.specimens.front().agreement.verdict == AgreementVerdict::consistent);
    CHECK(c.specimens.front().agreement.reasons.front().find("than the sensors can distinguish") != std::string::npos);
}

TEST_CASE("The side of the first uplift is not judged where a small tilt decides it") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.experiment.specimens.front().initial_tilt_rad = 0.0;
    run.experiment.excitation.motion = solver::harmonic_displacement(0.005, 8 * std::numbers::pi, 2, 4);
    run.experiment.excitation.table_motion = run.experiment.excitation.motion;
    for (const double tilt_rad : {-0.003, 0.003}) {
        run.tilt_rad = tilt_rad;
        const Conclusion c = concluded(run);
        REQUIRE(c.specimens.front().measured.outcome == solver::Outcome::rocking);
        INFO("tilt " << tilt_rad);
        if (const Criterion* side = criterion(c.specimens.front().agreement, "side of the first uplift"))
            CHECK(side->probability > kInconsistentBelow);
    }
}

TEST_CASE("A rotation sensor that was silent in between is not taken for a block that stood still") {
    const SyntheticRun run{.experiment = tests::b6l_sine()};
    RunData data = tests::record(run);
    std::erase_if(data.feedback,
                  [](const auto& f) { return f.device_time_us > 5'500'000 && f.device_time_us < 6'100'000; });
    const Agreement agreement = conclude(run.experiment, data, {}).specimens.front().agreement;
    CHECK(agreement.verdict == AgreementVerdict::consistent);
    for (const Criterion& c : agreement.criteria) CHECK_FALSE(c.about_the_motion);
    CHECK(agreement.reasons.front().find("silent") != std::string::npos);
}

TEST_CASE("A test whose prediction is too wide to fail is uninformative, whatever was measured") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.experiment.specimens.front().blocks.front() = {0.04, 0.15, 1.0};
    run.experiment.excitation.motion = solver::sine_acceleration(3.0, 8.0 * std::numbers::pi, 5.0);
    run.experiment.excitation.table_motion = run.experiment.excitation.motion;
    run.experiment.excitation.cycles = 5.0;
    run.restitution_factor = 1.01;
    run.tilt_rad = 0.001;
    const Agreement agreement = concluded(run).specimens.front().agreement;
    for (const std::string& reason : agreement.reasons) UNSCOPED_INFO(reason);
    REQUIRE(agreement.verdict.has_value());
    CHECK(*agreement.verdict == AgreementVerdict::uninformative);
    CHECK(agreement.counted() == 0);
    for (const Criterion& c : agreement.criteria) {
        INFO(c.name << ": spread " << c.spread);
        if (c.about_the_motion) CHECK_FALSE(c.counts);
    }
}

TEST_CASE("A test whose device clock is one per cent off is not judged") {
    const SyntheticRun run{.experiment = tests::b6l_sine()};
    RunData data = tests::record(run);
    for (const double skew : {0.0, 0.01}) {
        data.timing.clear();
        for (const auto& feedback : data.feedback) {
            TimingRecord cycle;
            cycle.device_time_us = feedback.device_time_us;
            cycle.deadline_ns =
                5'000'000'000 + std::llround(1e3 * static_cast<double>(feedback.device_time_us) / (1.0 + skew));
            data.timing.push_back(cycle);
        }
        const Conclusion c = conclude(run.experiment, data, {});
        INFO("skew " << skew);
        REQUIRE(c.timing.clock);
        CHECK(overall_verdict(c).has_value() == (skew == 0.0));
        if (skew > 0.0)
            CHECK(c.specimens.front().agreement.reasons.front().find("clock is +1.00 % off") != std::string::npos);
    }
}

TEST_CASE("A specimen that is one more of its ensemble is called inconsistent about as seldom as stated") {
    // 5 % of the 12: 0.6; more than 3 in 0.2 % of all sets of seeds. How often exactly: surprise_test
    const tests::RandomRuns runs(2026, 12);
    std::mt19937_64 generator(runs.seed());
    std::normal_distribution<double> normal(0.0, 1.0);
    int inconsistent = 0;
    for (int i = 0; i < runs.count(); ++i) {
        SyntheticRun run{.experiment = tests::b6l_sine()};
        run.restitution_factor = 1.0 + 0.015 * normal(generator);
        run.width_factor = 1.0 + 0.005 * normal(generator);
        run.tilt_rad = 0.002 * normal(generator);
        run.seed = static_cast<std::uint32_t>(runs.seed(i) - 2025);  // 1, 2, ... by default
        inconsistent += concluded(run).specimens.front().agreement.verdict == AgreementVerdict::inconsistent;
    }
    INFO("inconsistent in " << inconsistent << " of " << runs.count());
    CHECK(inconsistent <= runs.scaled(3));
}
