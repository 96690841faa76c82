// Runs along one record: what they say, and what is refused.
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "solver/lanes/lane_bodies.hpp"
#include "solver/lanes/outcomes_in_lanes.hpp"
#include "solver/lanes/record_track.hpp"
#include "solver/predict.hpp"
#include "solver/study/record_suite.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using namespace topple::test;

namespace {

SuiteRun run_of(const RecordSuite& suite, const Specimen& specimen, double amplitude = 1.0, double frequency = 1.0) {
    const SuitePoint point{0, {amplitude, frequency}};
    SuiteRun run;
    suite.solve({&specimen, 1}, {&point, 1}, {&run, 1});
    return run;
}

void check_against_predict(const Specimen& specimen, const BaseMotion& motion, bool in_lanes = true,
                           const SolverOptions& options = {}) {
    const RecordSuite suite(motion, options);
    REQUIRE(suite.in_lanes(specimen) == in_lanes);
    for (const double amplitude : {0.3, 0.9, 1.2, 1.7, 2.5, -1.4}) {
        INFO("amplitude " << amplitude);
        const SuiteRun run = run_of(suite, specimen, amplitude);
        const Prediction prediction = predict(specimen, motion.scaled(amplitude), options);
        CHECK(run.outcome == prediction.outcome);
        CHECK(run.direction == prediction.direction);
        CHECK(run.uplifted == (prediction.peak_rotation_rad[0] > 0.0));
        const double alpha_rad = specimen.blocks[0].slenderness_rad();
        if (specimen.blocks.size() == 1)
            CHECK(run.peak_rotation_ratio == Approx(prediction.peak_rotation_rad[0] / alpha_rad).margin(1e-8));
        if (prediction.overturn_time_s)
            CHECK(run.end_time_s == Approx(*prediction.overturn_time_s).margin(5e-4));
        else if (run.outcome == Outcome::rocking)
            CHECK(run.end_time_s == Approx(*prediction.settled_time_s).margin(5e-4));
    }
}

}  // namespace

TEST_CASE("runs along every kind of motion are those of predict()") {
    check_against_predict(b6l(), sine_acceleration(3.0, 25.0));
    check_against_predict(b6l(), cosine_acceleration(3.0, 25.0));
    check_against_predict(b6l(), cosine_acceleration(-3.0, 25.0));
    check_against_predict(b6l(), sine_acceleration(3.0, 25.0, 5));
    check_against_predict(b6l(), constant_acceleration(3.0, 0.2));
    check_against_predict(b6l(), harmonic_displacement(0.01, 25.0, 2, 4));
    check_against_predict(b6l(), double_pulse(0.5, 0.02, 0.05, 2.0, 0.5));
    check_against_predict(b6l(), sine_acceleration(3.0, 25.0).shifted(0.7));
    check_against_predict(b6l(), sine_acceleration(3.0, 25.0).plus(sine_acceleration(1.0, 60.0)));
    check_against_predict(b6l(), sampled_acceleration({0, 0.1, 0.15, 0.3, 0.4}, {0, 3, -4, 2, 0}));
}

TEST_CASE("runs that the lanes do not cover are those of predict() too") {
    const BaseMotion motion = sine_acceleration(3.0, 25.0);
    Specimen sliding = b6l();
    sliding.friction = Friction{0.15, 0.15};
    const RecordSuite suite(motion);
    CHECK_FALSE(suite.in_lanes(sliding));
    CHECK(run_of(suite, sliding).outcome == predict(sliding, motion).outcome);
    check_against_predict(stack({kB6m, kB3m}), sine_acceleration(3.0, 14.0), false);
    SolverOptions lifted;
    lifted.vertical = std::make_shared<const BaseMotion>(sine_acceleration(2.0, 40.0));
    check_against_predict(b6l(), motion, false, lifted);
    SolverOptions force;
    force.model = Model::linearised;
    check_against_predict(b6l(), motion, false, force);
}

TEST_CASE("a block that the record does not lift stands: no rotation, no time") {
    const BaseMotion motion = sampled_acceleration({0, 0.1, 0.2, 0.3}, {0, 1.0, -1.0, 0});
    const double uplift = uplift_acceleration_m_s2(b6l());
    for (const double amplitude : {0.0, 0.5 * uplift, uplift, -uplift}) {
        const SuiteRun run = run_of(RecordSuite(motion), b6l(), amplitude);
        CHECK(run.outcome == Outcome::translation);
        CHECK_FALSE(run.uplifted);
        CHECK(run.peak_rotation_ratio == 0.0);
        CHECK(run.end_time_s == 0.0);
    }
    CHECK(run_of(RecordSuite(motion), b6l(), 1.001 * uplift).uplifted);
    CHECK(run_of(RecordSuite(motion), b6l(), -1.001 * uplift).uplifted);
}

TEST_CASE("a run counts the lean that the body is released from") {
    const BaseMotion motion = sampled_acceleration({0, 0.1, 0.2}, {0, 1e-3, 0});
    const double alpha_rad = kB6l.slenderness_rad();
    const SuiteRun rocks = run_of(RecordSuite(motion), b6l(0.5 * alpha_rad));
    CHECK(rocks.outcome == Outcome::rocking);
    CHECK(rocks.uplifted);
    CHECK(rocks.peak_rotation_ratio == Approx(0.5).epsilon(1e-9));
    const SuiteRun falls = run_of(RecordSuite(motion), b6l(-1.5 * alpha_rad));
    CHECK(falls.outcome == Outcome::overturning);
    CHECK(falls.direction == Side::left);
    CHECK(falls.peak_rotation_ratio == Approx(1.57079632679489661923 / alpha_rad).epsilon(1e-12));
}

TEST_CASE("a block that never loses energy is not said to rest") {
    Specimen bouncing = b6l();
    bouncing.restitution.model = RestitutionModel::fixed;
    const SuiteRun run = run_of(RecordSuite(sampled_acceleration({0, 0.1, 0.2}, {0, 2.5, 0})), bouncing);
    CHECK(run.outcome == Outcome::rocking);
    CHECK(std::isinf(run.end_time_s));
}

TEST_CASE("along a base that never moves a run is a release") {
    const RecordSuite suite{BaseMotion{}};
    CHECK(run_of(suite, b6l()).outcome == Outcome::translation);
    CHECK(run_of(suite, b6l(0.1)).outcome == Outcome::rocking);
}

TEST_CASE("the variants of the record kernel for different processors solve every run, with the same bytes") {
    const LaneBody body = lane_body(b6l(), 1.0, kStandardGravity_m_s2);
    for (const BaseMotion& motion : {sine_acceleration(3.0, 25.0, 5), cosine_acceleration(-3.0, 25.0, 5)}) {
        const RecordPieces pieces(motion);
        std::vector<RecordRun> runs;
        for (int i = 0; i < 100; ++i)
            runs.push_back({&body, (i % 2 == 0 ? 1.0 : -1.0) * (0.7 + 0.01 * i) / kStandardGravity_m_s2, 1.0});
        std::vector<RecordRunEnd> plain(runs.size()), fastest(runs.size());
        solve_record_baseline(pieces.track(), runs.data(), plain.data(), runs.size());
        record_solver()(pieces.track(), runs.data(), fastest.data(), runs.size());
        int fallen = 0;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            fallen += plain[i].end == LaneEnd::overturning;
            CHECK(plain[i].end != LaneEnd::unsolved);
            CHECK(plain[i].end == fastest[i].end);
            CHECK(plain[i].peak_ratio == fastest[i].peak_ratio);
            CHECK(plain[i].time == fastest[i].time);
        }
        CHECK(fallen > 10);
        CHECK(fallen < 90);
    }
}

TEST_CASE("a suite refuses runs that mean nothing") {
    const RecordSuite suite(sine_acceleration(3.0, 25.0));
    const Specimen block = b6l();
    SuiteRun run;
    const auto solve = [&](const SuitePoint& point) { suite.solve({&block, 1}, {&point, 1}, {&run, 1}); };
    CHECK_THROWS_AS(solve({1, {}}), std::invalid_argument);
    CHECK_THROWS_AS(solve({0, {std::numeric_limits<double>::quiet_NaN(), 1.0}}), std::invalid_argument);
    CHECK_THROWS_AS(solve({0, {1.0, 0.0}}), std::invalid_argument);
    const SuitePoint points[2] = {};
    CHECK_THROWS_AS(suite.solve({&block, 1}, points, {&run, 1}), std::invalid_argument);
    Specimen bad = block;
    bad.blocks[0].width_m = -1.0;
    const SuitePoint point;
    CHECK_THROWS_AS(suite.solve({&bad, 1}, {&point, 1}, {&run, 1}), std::invalid_argument);
}
