// Edges of the single block's world, and the incremental solver as the table and the predictor use it.
#include "solver/rocking_run.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kPi = 3.141592653589793;
constexpr double kGravity = 9.81;

Specimen b6l(double rotation_rad = 0.0) {
    Specimen specimen;
    specimen.blocks = {{0.06, 0.27, 2.5692}};
    if (rotation_rad != 0.0) specimen.initial_rotation_rad = {rotation_rad};
    return specimen;
}

MotionPiece piece(double start_s, double end_s, double acceleration_m_s2, double jerk_m_s3 = 0.0) {
    MotionPiece result;
    result.start_s = start_s;
    result.end_s = end_s;
    result.polynomial = {acceleration_m_s2, jerk_m_s3, 0.0, 0.0};
    return result;
}

const double kThreshold = kGravity * 0.06 / 0.27;

}  // namespace

TEST_CASE("positive base acceleration tips the block backwards about its left corner") {
    RockingRun run(b6l(), {});
    run.advance(piece(0.0, 0.1, 1.5 * kThreshold), 0.1);
    CHECK(run.rotation_rad(0) < 0.0);
    CHECK(run.support(0) == Support::left);
    RockingRun other(b6l(), {});
    other.advance(piece(0.0, 0.1, -1.5 * kThreshold), 0.1);
    CHECK(other.rotation_rad(0) == -run.rotation_rad(0));
    CHECK(other.rotation_rate_rad_s(0) == -run.rotation_rate_rad_s(0));
    CHECK(other.support(0) == Support::right);
}

TEST_CASE("at exactly the threshold the block stays, just above it lifts") {
    const double threshold = uplift_acceleration_m_s2(b6l());
    RockingRun at(b6l(), {});
    at.advance(piece(0.0, 1.0, threshold), 1.0);
    CHECK_FALSE(at.uplifted());
    CHECK(at.result().outcome == Outcome::translation);
    CHECK_FALSE(at.result().settled_time_s);
    RockingRun above(b6l(), {});
    above.advance(piece(0.0, 1.0, threshold * (1.0 + 1e-9)), 1.0);
    CHECK(above.uplifted());
    CHECK(predict(b6l(), sine_acceleration(threshold, 20.0)).outcome == Outcome::translation);
    CHECK(predict(b6l(), sine_acceleration(threshold * (1.0 + 1e-9), 20.0)).outcome == Outcome::rocking);
}

TEST_CASE("inside a linear piece the block lifts when the acceleration crosses the threshold") {
    SolverOptions options;
    options.history_step_s = 10.0;
    RockingRun run(b6l(), options);
    run.advance(piece(0.0, 1.0, 0.0, 5.0), 0.6);
    const auto history = run.result().history;
    REQUIRE(history.size() >= 2);
    // It lets go 1e-12 g beyond the threshold: 2e-12 s later.
    CHECK(history[1].time_s == Approx(kThreshold / 5.0).margin(3e-12).epsilon(0));
    CHECK(history[1].support[0] == Support::left);
}

TEST_CASE("a body lifts at the threshold of each of its sides") {
    Specimen body;
    body.blocks = {{0.0, 0.0, 2.0}};
    const double z = 0.13;
    body.pivots = Pivots{0.25, 0.15, z / std::cos(0.25), z / std::cos(0.15), 0.01};
    const auto lifts = [&](double acceleration) {
        RockingRun run(body, {});
        run.advance(piece(0.0, 0.05, acceleration), 0.05);
        return run.uplifted();
    };
    CHECK_FALSE(lifts(kGravity * std::tan(0.25) * (1.0 - 1e-9)));
    CHECK(lifts(kGravity * std::tan(0.25) * (1.0 + 1e-9)));
    CHECK_FALSE(lifts(-kGravity * std::tan(0.15) * (1.0 - 1e-9)));
    CHECK(lifts(-kGravity * std::tan(0.15) * (1.0 + 1e-9)));
}

TEST_CASE("a block that leans beyond its slenderness overturns unless the base brings it back") {
    const double alpha = b6l().blocks[0].slenderness_rad();
    const Prediction falls = predict(b6l(alpha + 0.01), {});
    CHECK(falls.outcome == Outcome::overturning);
    CHECK(falls.direction == Side::right);
    CHECK(falls.peak_rotation_rad[0] == Approx(kPi / 2).epsilon(1e-12));
    CHECK(falls.overturn_time_s.value() > 0.0);
    CHECK(predict(b6l(-alpha - 0.01), {}).direction == Side::left);
    // A base that runs after the leaning block: positive acceleration turns it back.
    const Prediction saved = predict(b6l(alpha + 0.01), constant_acceleration(1.0, 0.1));
    CHECK(saved.outcome == Outcome::rocking);
    CHECK(saved.peak_rotation_rad[0] >= alpha + 0.01);
}

TEST_CASE("restitution 1 rocks for ever and 0 sticks at the first impact") {
    Specimen elastic = b6l(0.1);
    elastic.restitution.model = RestitutionModel::fixed;
    SolverOptions options;
    options.settle_limit_s = 20.0;
    const Prediction bounces = predict(elastic, {}, options);
    CHECK(bounces.outcome == Outcome::rocking);
    CHECK_FALSE(bounces.settled_time_s);
    REQUIRE(bounces.impacts.size() > 20);
    const double period = bounces.impacts[1].time_s - bounces.impacts[0].time_s;
    CHECK(bounces.impacts.back().time_s ==
          Approx(bounces.impacts[0].time_s + period * static_cast<double>(bounces.impacts.size() - 1))
              .margin(1e-9)
              .epsilon(0));
    elastic.restitution.fixed_left_to_right = elastic.restitution.fixed_right_to_left = 0.0;
    const Prediction sticks = predict(elastic, {});
    REQUIRE(sticks.impacts.size() == 1);
    CHECK(sticks.settled_time_s.value() == sticks.impacts[0].time_s);
    CHECK(sticks.impacts[0].rotation_rate_after_rad_s[0] == 0.0);
}

TEST_CASE("a flat block does not rebound: Housner's ratio below zero sticks") {
    Specimen flat;
    flat.blocks = {{0.1, 0.06, 1.0}};
    flat.initial_rotation_rad = {0.2};
    const Prediction answer = predict(flat, {});
    CHECK(answer.impacts.size() == 1);
    CHECK(answer.settled_time_s.value() == answer.impacts[0].time_s);
}

TEST_CASE("a pulse that ends exactly at an impact gives the same as one that ends a hair before or after") {
    const Prediction first = predict(b6l(0.1), constant_acceleration(0.5, 10.0));
    const double impact_s = first.impacts.at(0).time_s;
    for (const double shift : {-1e-9, 0.0, 1e-9}) {
        const Prediction answer = predict(b6l(0.1), constant_acceleration(0.5, impact_s + shift));
        CHECK(answer.impacts.at(0).time_s == Approx(impact_s).margin(1e-9).epsilon(0));
        const Prediction rest = predict(b6l(0.1), constant_acceleration(0.5, impact_s));
        CHECK(answer.impacts.at(1).time_s == Approx(rest.impacts.at(1).time_s).margin(1e-7).epsilon(0));
    }
}

TEST_CASE("an event exactly at the end of an advance happens once") {
    const double impact_s = predict(b6l(0.15), {}).impacts.at(0).time_s;
    RockingRun run(b6l(0.15), {});
    run.coast(impact_s);
    run.coast(impact_s + 0.01);
    const auto impacts = run.result().impacts;
    REQUIRE(impacts.size() == 1);
    CHECK(impacts[0].time_s == Approx(impact_s).margin(1e-12).epsilon(0));
}

TEST_CASE("rest is a fixed point and a minute of it takes no steps") {
    RockingRun run(b6l(), {});
    run.coast(1e9);
    CHECK(run.time_s() == 1e9);
    CHECK(run.at_rest());
    CHECK(run.rotation_rad(0) == 0.0);
    CHECK_FALSE(run.uplifted());
}

TEST_CASE("the budget of events ends a run-away and says when") {
    Specimen elastic = b6l(0.01);
    elastic.restitution.model = RestitutionModel::fixed;
    SolverOptions options;
    options.events_max = 100;
    const Prediction answer = predict(elastic, {}, options);
    CHECK(answer.status == SolverStatus::event_budget_spent);
    CHECK(answer.status_time_s > 0.0);
    CHECK(answer.status_time_s < 60.0);
}

TEST_CASE("impacts beyond the recorded number are counted as truncated and change nothing else") {
    SolverOptions few;
    few.impacts_max = 10;
    const Prediction all = predict(b6l(0.15), {}), some = predict(b6l(0.15), {}, few);
    CHECK(some.impacts.size() == 10);
    CHECK(some.impacts_truncated);
    CHECK_FALSE(all.impacts_truncated);
    CHECK(some.settled_time_s == all.settled_time_s);
}

TEST_CASE("a base acceleration that is not a number is a latched failure, not an endless loop") {
    RockingRun run(b6l(0.1), {});
    run.advance(piece(0.0, 1.0, std::numeric_limits<double>::quiet_NaN()), 1.0);
    CHECK(run.status() == SolverStatus::not_finite);
    const double stopped = run.time_s();
    run.coast(2.0);
    CHECK(run.time_s() == stopped);
    RockingRun resting(b6l(), {});
    resting.advance(piece(0.0, 1.0, std::numeric_limits<double>::quiet_NaN()), 1.0);
    CHECK(resting.status() == SolverStatus::not_finite);
    for (const Model model : {Model::slide_rock, Model::linearised, Model::quasi_linear, Model::impulsive_force}) {
        SolverOptions options;
        options.model = model;
        Specimen block = b6l();
        if (model == Model::slide_rock) block.friction = Friction{0.5, 0.4};
        RockingRun one(block, options);
        one.advance(piece(0.0, 1.0, std::numeric_limits<double>::quiet_NaN()), 1.0);
        CHECK(one.status() == SolverStatus::not_finite);
    }
}

TEST_CASE("an empty or past interval does nothing") {
    RockingRun run(b6l(0.1), {});
    run.coast(0.1);
    const double theta = run.rotation_rad(0);
    run.coast(0.05);
    run.advance(piece(0.0, 0.05, 5.0), 0.2);
    run.coast(0.1);
    CHECK(run.time_s() == 0.1);
    CHECK(run.rotation_rad(0) == theta);
}

TEST_CASE("a copy forks the future and leaves the present alone") {
    RockingRun run(b6l(0.15), {});
    run.coast(0.2);
    RockingRun future = run;
    future.settle(60.0);
    CHECK(future.at_rest());
    CHECK(run.time_s() == 0.2);
    run.settle(60.0);
    CHECK(run.result().settled_time_s == future.result().settled_time_s);
}

TEST_CASE("the base reaction is the block's weight at rest and affine in the base acceleration") {
    const double weight = 2.5692 * kGravity;
    RockingRun run(b6l(), {});
    CHECK(run.base_reaction(1.0).vertical_n == Approx(-weight).epsilon(1e-14));
    CHECK(run.base_reaction(1.0).horizontal_n == Approx(-2.5692).epsilon(1e-14));
    RockingRun rocking(b6l(0.1), {});
    rocking.coast(0.1);
    const double f0 = rocking.base_reaction(0.0).horizontal_n, f1 = rocking.base_reaction(1.0).horizontal_n;
    CHECK(rocking.base_reaction(2.5).horizontal_n == Approx(f0 + 2.5 * (f1 - f0)).epsilon(1e-12));
    CHECK(f1 < f0);
}

TEST_CASE("the base reaction is the rate of the block's momentum") {
    RockingRun run(b6l(0.15), {});
    run.coast(0.1);
    const auto momentum = [](const RockingRun& at) {
        const double theta = at.rotation_rad(0), rate = at.rotation_rate_rad_s(0);
        return 2.5692 * rate * (0.135 * std::cos(theta) + 0.03 * std::sin(theta));
    };
    RockingRun later = run;
    later.coast(0.1 + 1e-5);
    CHECK(-run.base_reaction(0.0).horizontal_n ==
          Approx((momentum(later) - momentum(run)) / 1e-5).margin(1e-3).epsilon(0));
}

TEST_CASE("asking only for the outcome gives the outcome of the full history") {
    SolverOptions quick;
    quick.outcome_only = true;
    int overturned = 0;
    for (int i = 1; i <= 40; ++i) {
        for (const double frequency_rad_s : {10.0, 20.0, 40.0}) {
            const BaseMotion motion = sine_acceleration(0.5 * i, frequency_rad_s);
            const Prediction full = predict(b6l(), motion), fast = predict(b6l(), motion, quick);
            CHECK(fast.outcome == full.outcome);
            CHECK(fast.direction == full.direction);
            CHECK(fast.blocks_overturned == full.blocks_overturned);
            CHECK(fast.restitution == full.restitution);
            CHECK(fast.peak_rotation_rad.size() == 1);
            CHECK(std::isnan(fast.peak_rotation_rad[0]) == (fast.outcome == Outcome::rocking));
            const Prediction followed = follow(b6l(), motion, quick);
            CHECK(followed.outcome == full.outcome);
            CHECK(followed.direction == full.direction);
            overturned += full.outcome == Outcome::overturning ? 1 : 0;
        }
    }
    CHECK(overturned > 10);
    CHECK(overturned < 110);
}

TEST_CASE("asking only for the outcome, the uplift threshold is the same to 1e-11 and options are still judged") {
    SolverOptions quick;
    quick.outcome_only = true;
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
    const BaseMotion motion =
        sine_acceleration(9.9867605556335093 * kGravity * std::tan(block.slenderness_rad()),
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
    const Block b3m{.045, .10125, .5444};
    Specimen pair;
    pair.blocks = {b3m, b3m};
    SolverOptions quick;
    quick.outcome_only = true;
    int partial = 0, total = 0;
    for (int i = 0; i < 20; ++i) {
        for (int j = 0; j < 10; ++j) {
            const BaseMotion motion = sine_acceleration(2.5 + 2.0 * i, 4.0 + 8.0 * j);
            const Prediction full = predict(pair, motion), fast = predict(pair, motion, quick);
            CHECK(fast.outcome == full.outcome);
            CHECK(fast.direction == full.direction);
            CHECK(fast.blocks_overturned == full.blocks_overturned);
            partial += full.outcome == Outcome::partial_overturning ? 1 : 0;
            total += full.outcome == Outcome::total_overturning ? 1 : 0;
        }
    }
    CHECK(partial > 5);
    CHECK(total > 5);
}

TEST_CASE("the energy decision also holds for bodies with different sides, on a slope") {
    SolverOptions quick;
    quick.outcome_only = true;
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
        const Prediction full = predict(body, motion), fast = predict(body, motion, quick);
        CHECK(fast.outcome == full.outcome);
        CHECK(fast.direction == full.direction);
        left += full.direction == Side::left ? 1 : 0;
        right += full.direction == Side::right ? 1 : 0;
    }
    CHECK(left > 0);
    CHECK(right > 0);
}

TEST_CASE("a block on a slope steeper than its slenderness falls downhill by itself") {
    Specimen steep = b6l();
    steep.initial_tilt_rad = 0.25;
    const Prediction answer = predict(steep, {});
    CHECK(answer.outcome == Outcome::overturning);
    CHECK(answer.direction == Side::right);
}

TEST_CASE("nothing on the base is nothing that moves") {
    const Prediction answer = predict({}, sine_acceleration(5.0, 20.0));
    CHECK(answer.outcome == Outcome::translation);
    CHECK(answer.peak_rotation_rad.empty());
}

TEST_CASE("options and models that do not exist are refused by name") {
    SolverOptions options;
    options.newmark_step_s = 0.0;
    CHECK_THROWS_AS(RockingRun(b6l(), options), std::invalid_argument);
    Specimen slippery = b6l();
    slippery.friction = Friction{0.5, 0.4};
    options = {};
    options.model = Model::rocking;
    CHECK_THROWS_AS(RockingRun(slippery, options), std::invalid_argument);
    options.model = Model::linearised;
    CHECK_THROWS_AS(RockingRun(slippery, options), std::invalid_argument);
    options.model = Model::slide_rock;
    CHECK_THROWS_AS(RockingRun(b6l(), options), std::invalid_argument);
    Specimen stack = slippery;
    stack.blocks.push_back(stack.blocks[0]);
    CHECK_NOTHROW(RockingRun(stack, {}));
    CHECK_THROWS_AS(RockingRun(stack, options), std::invalid_argument);
}

TEST_CASE("history holds the grid, the events and the end values") {
    SolverOptions options;
    options.history_step_s = 0.01;
    const Prediction answer = predict(b6l(0.15), {}, options);
    REQUIRE(answer.history.size() > 420);
    CHECK(answer.history.front().time_s == 0.0);
    CHECK(answer.history.front().rotation_rad[0] == 0.15);
    for (std::size_t i = 1; i < answer.history.size(); ++i)
        CHECK(answer.history[i].time_s >= answer.history[i - 1].time_s);
    CHECK(answer.history.back().support[0] == Support::full);
    SolverOptions coarse;
    CHECK(predict(b6l(0.15), {}, coarse).settled_time_s == answer.settled_time_s);
}

TEST_CASE("flights shorter than Newmark's step are still all found") {
    Specimen bulky;
    bulky.blocks = {{0.06, 0.09, 1.0}};
    bulky.initial_rotation_rad = {0.5};
    SolverOptions options;
    options.integrator = Integrator::newmark;
    options.newmark_step_s = 0.02;
    const Prediction coarse = predict(bulky, {}, options), fine = predict(bulky, {});
    CHECK(coarse.impacts.size() == fine.impacts.size());
    CHECK(coarse.settled_time_s.value() == Approx(fine.settled_time_s.value()).margin(2e-3).epsilon(0));
}

TEST_CASE("while the base still moves the result says what has happened, not what energy would tell") {
    SolverOptions quick;
    quick.outcome_only = true;
    RockingRun run(b6l(), quick);
    run.advance(piece(0.0, 1.0, 4.0), 0.25);
    CHECK(run.rotation_rad(0) < -0.1);
    CHECK(run.result().outcome == Outcome::rocking);
    run.settle(60.0);
    CHECK(run.result().outcome == Outcome::overturning);
    CHECK(run.result().direction == Side::left);
}
