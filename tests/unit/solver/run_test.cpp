// The incremental solver as the table and the predictor use it, and the edges of the single block's world.
#include "solver/run.hpp"
#include "solver/predict.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using topple::test::b6l;
using topple::test::piece;

namespace {

constexpr double kGravity = 9.81;

}  // namespace

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

TEST_CASE("the budget of events ends a run-away under a motion and says when") {
    Specimen elastic = b6l(0.01);
    elastic.restitution.model = RestitutionModel::fixed;
    SolverOptions options;
    options.events_max = 100;
    const Prediction answer = predict(elastic, sine_acceleration(0.1, 6.0, 60.0), options);
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
