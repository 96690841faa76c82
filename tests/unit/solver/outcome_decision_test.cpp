// What is told of the outcome: by energy and by the maps' method as by the whole history.
#include <cmath>
#include <stdexcept>

#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using topple::test::b6l;
using topple::test::kB3m;
using topple::test::piece;
using topple::test::stack;

namespace {

constexpr double kPi = 3.141592653589793;
constexpr double kGravity = 9.81;

SolverOptions outcome_only() {
    SolverOptions options;
    options.outcome_only = true;
    return options;
}

/// The whole history's prediction, after a check that one asked only for the outcome tells the same.
Prediction told_alike(const Specimen& specimen, const BaseMotion& motion) {
    const Prediction full = predict(specimen, motion), fast = predict(specimen, motion, outcome_only());
    CHECK(fast.outcome == full.outcome);
    CHECK(fast.direction == full.direction);
    CHECK(fast.blocks_overturned == full.blocks_overturned);
    return full;
}

}  // namespace

TEST_CASE("asking only for the outcome gives the outcome of the full history") {
    int overturned = 0;
    for (int i = 1; i <= 40; ++i) {
        for (const double frequency_rad_s : {10.0, 20.0, 40.0}) {
            const BaseMotion motion = sine_acceleration(0.5 * i, frequency_rad_s);
            const Prediction full = told_alike(b6l(), motion), fast = predict(b6l(), motion, outcome_only());
            CHECK(fast.restitution == full.restitution);
            CHECK(fast.peak_rotation_rad.size() == 1);
            CHECK(std::isnan(fast.peak_rotation_rad[0]) == (fast.outcome == Outcome::rocking));
            const Prediction followed = follow(b6l(), motion, outcome_only());
            CHECK(followed.outcome == full.outcome);
            CHECK(followed.direction == full.direction);
            overturned += full.outcome == Outcome::overturning ? 1 : 0;
        }
    }
    CHECK(overturned > 10);
    CHECK(overturned < 110);
}

TEST_CASE("asking only for the outcome, the uplift threshold is the same to 1e-11 and options are still judged") {
    SolverOptions quick = outcome_only();
    const double threshold = uplift_acceleration_m_s2(b6l());
    std::vector<double> time_s, record;
    for (int i = 0; i <= 100; ++i) time_s.push_back(0.01 * i), record.push_back(std::sin(0.2 * i) / std::sin(0.2 * 8));
    for (const double excess : {-1e-9, 0.0, 1e-13, 1e-11, 1e-9}) {
        INFO("excess " << excess);
        const double a0 = threshold * (1.0 + excess);
        std::vector<double> scaled = record;
        for (double& value : scaled) value *= a0;
        for (const BaseMotion& motion : {sine_acceleration(a0, 20.0), sine_acceleration(-a0, 20.0),
                                         constant_acceleration(a0, 0.1), sampled_acceleration(time_s, scaled)})
            CHECK(predict(b6l(), motion, quick).outcome == predict(b6l(), motion).outcome);
    }
    quick.gravity_m_s2 = -1.0;
    CHECK_THROWS_AS(predict(b6l(), sine_acceleration(3.0, 20.0), quick), std::invalid_argument);
}

TEST_CASE("a block that passes pi/2 and turns back within one step has overturned") {
    // Found by comparison with the lanes of the map: the turning point lies 1.6e-4 rad beyond pi/2.
    Specimen specimen;
    specimen.blocks = {{0.06, 0.04, 1.0}};
    const Block& block = specimen.blocks[0];
    const BaseMotion motion = sine_acceleration(9.9867605556335093 * kGravity * std::tan(block.slenderness_rad()),
                                                5.5746597491842449 * block.frequency_parameter_rad_s(kGravity));
    for (const Integrator integrator : {Integrator::high_order, Integrator::newmark}) {
        SolverOptions options;
        options.integrator = integrator;
        options.newmark_step_s = 1e-4;  // 1 ms is off by more than the 1.6e-4 rad
        const Prediction answer = predict(specimen, motion, options);
        CHECK(answer.outcome == Outcome::overturning);
        CHECK(answer.peak_rotation_rad[0] == kPi / 2);
    }
}

TEST_CASE("a stack whose lower block falls after the upper one has fallen altogether, asked for either way") {
    const Specimen pair = stack({kB3m, kB3m});
    int partial = 0, total = 0;
    for (int i = 0; i < 20; ++i) {
        for (int j = 0; j < 10; ++j) {
            const BaseMotion motion = sine_acceleration(2.5 + 2.0 * i, 4.0 + 8.0 * j);
            const Prediction full = told_alike(pair, motion);
            partial += full.outcome == Outcome::partial_overturning ? 1 : 0;
            total += full.outcome == Outcome::total_overturning ? 1 : 0;
        }
    }
    CHECK(partial > 5);
    CHECK(total > 5);
}

TEST_CASE("the energy decision also holds for bodies with different sides, on a slope") {
    Specimen body;
    body.blocks = {{0.0, 0.0, 2.0}};
    body.pivots = Pivots{0.25, 0.15, 0.13 / std::cos(0.25), 0.13 / std::cos(0.15), 0.01};
    body.restitution.model = RestitutionModel::fixed;
    body.restitution.fixed_left_to_right = 0.95;
    body.restitution.fixed_right_to_left = 0.93;
    body.initial_tilt_rad = 0.02;
    int left = 0, right = 0;
    for (int i = -40; i <= 40; ++i) {
        const BaseMotion motion = sine_acceleration(0.4 * i, 20.0);
        const Prediction full = told_alike(body, motion);
        left += full.direction == Side::left ? 1 : 0;
        right += full.direction == Side::right ? 1 : 0;
    }
    CHECK(left > 0);
    CHECK(right > 0);
}

TEST_CASE("while the base still moves the result says what has happened, not what energy would decide") {
    RockingRun run(b6l(), outcome_only());
    run.advance(piece(0.0, 1.0, 4.0), 0.25);
    CHECK(run.rotation_rad(0) < -0.1);
    CHECK(run.result().outcome == Outcome::rocking);
    run.settle(60.0);
    CHECK(run.result().outcome == Outcome::overturning);
    CHECK(run.result().direction == Side::left);
}
