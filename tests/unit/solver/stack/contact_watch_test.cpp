// What a run without slip and jumps reports about its contacts.
#include <cmath>

#include "solver/engine/engine.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "solver/stack/specimen_stack.hpp"
#include "solver/stack/stack_law.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using topple::test::kB3m;
using topple::test::kB6l;
using topple::test::kB6m;

namespace {

constexpr double kGravity = 9.81;

Specimen stack(std::vector<Block> blocks, double friction_ratio = 0.0) {
    Specimen specimen = topple::test::stack(std::move(blocks));
    if (friction_ratio > 0.0) specimen.friction = Friction{friction_ratio, friction_ratio};
    return specimen;
}

/// Friction over normal force at the foot of one block that rocks at rate 0, from Newton's second law.
double demand_of_single(const Block& block, double theta, double u) {
    const double r = block.half_diagonal_m(), alpha = block.slenderness_rad(), s = theta < 0.0 ? -1.0 : 1.0;
    const double p = block.frequency_parameter_rad_s(kGravity), x = alpha - std::abs(theta);
    const double acceleration = -s * p * p * std::sin(x) - p * p * u / kGravity * std::cos(x);
    // Centre of mass from the pivot: (-s R sin x, R cos x).
    const double along = u + acceleration * r * std::cos(x), up = kGravity + acceleration * s * r * std::sin(x);
    return std::abs(along) / up;
}

}  // namespace

TEST_CASE("at rest the friction needed is the base acceleration over g, on every interface") {
    const Prediction answer = predict(stack({kB6m, kB3m}), sine_acceleration(1.2, 20.0));
    REQUIRE(answer.outcome == Outcome::translation);
    REQUIRE(answer.friction_demand.size() == 2);
    for (const double demand : answer.friction_demand) CHECK(demand == Approx(1.2 / kGravity).margin(2e-4).epsilon(0));
    CHECK_FALSE(answer.left_validity);
}

TEST_CASE("a released block needs at its start the friction that Newton's law asks for") {
    Specimen specimen = stack({kB6l});
    specimen.initial_rotation_rad = {0.1};
    RockingRun run(specimen, {});
    run.coast(1e-6);
    CHECK(run.result().friction_demand.at(0) == Approx(demand_of_single(kB6l, 0.1, 0.0)).margin(1e-6).epsilon(0));
}

TEST_CASE("a stack at rest that would slip before it lifts is reported at the instant of slipping") {
    // 0.1 g is reached on the way up of a sine of 1.2 m/s2; uplift would need 0.148 g.
    const double friction = 0.1;
    const Prediction answer = predict(stack({kB6m, kB3m}, friction), sine_acceleration(1.2, 20.0));
    REQUIRE(answer.left_validity);
    CHECK(answer.left_validity->breach == Breach::slip);
    CHECK(answer.left_validity->interface_index == 0);
    CHECK(answer.left_validity->time_s == Approx(std::asin(friction * kGravity / 1.2) / 20.0).margin(1e-9).epsilon(0));
}

TEST_CASE("a rocking stack is predicted with friction as without, and slips where its demand passes the friction") {
    const BaseMotion motion = sine_acceleration(2.0, 25.0);
    SolverOptions options;
    options.settle_limit_s = 30.0;
    const Prediction sticking = predict(stack({kB3m, kB6m}), motion, options);
    REQUIRE(sticking.outcome == Outcome::rocking);
    REQUIRE(sticking.friction_demand.at(0) > 0.16);
    for (const double friction : {0.12, 0.99 * sticking.friction_demand[0], 1.01 * sticking.friction_demand[0], 5.0}) {
        const Prediction watched = predict(stack({kB3m, kB6m}, friction), motion, options);
        CHECK(watched.outcome == sticking.outcome);
        CHECK(watched.friction_demand == sticking.friction_demand);
        const bool slips = std::max(sticking.friction_demand[0], sticking.friction_demand[1]) > friction;
        CHECK(watched.left_validity.has_value() == slips);
        if (slips) CHECK(watched.left_validity->breach == Breach::slip);
    }
}

TEST_CASE("the first slip is found to the instant, whatever the steps") {
    // The demand just before and just after, from runs that end there.
    const BaseMotion motion = sine_acceleration(2.5, 25.0);
    const double friction = 0.25;
    const Prediction answer = predict(stack({kB3m, kB6m}, friction), motion);
    REQUIRE(answer.left_validity);
    const double at = answer.left_validity->time_s;
    const auto demand_until = [&](double until) {
        RockingRun run(stack({kB3m, kB6m}, friction), {});
        for (const MotionPiece& piece : motion.pieces()) run.advance(piece, std::min(piece.end_s, until));
        run.coast(until);
        return run.result().friction_demand.at(answer.left_validity->interface_index);
    };
    CHECK(demand_until(at - 1e-5) < friction);
    CHECK(demand_until(at + 1e-5) >= friction);
}

TEST_CASE("an open corner that would have to pull is a lift-off") {
    StackState<1> state = make_stack_state<1>(stack({kB6l}), kGravity);
    state.set_supports({1});
    state.motion = {{0.6}, {30.0}};  // so fast that the centre flies off its pivot
    const ContactWatch<1> watch(true, std::numeric_limits<double>::infinity());
    Engine<StackLaw<1>> engine(StackLaw<1>(state, watch), {}, 0.0);
    engine.run({}, 1e-3, false);
    const auto breach = engine.law().watch().breach();
    REQUIRE(breach);
    CHECK(breach->breach == Breach::pull);
    CHECK(breach->time_s == 0.0);
}

TEST_CASE("a run that asks only for the outcome is not watched") {
    SolverOptions quick;
    quick.outcome_only = true;
    const Prediction answer = predict(stack({kB3m, kB6m}, 0.1), sine_acceleration(5.0, 25.0), quick);
    CHECK(answer.friction_demand.empty());
    CHECK_FALSE(answer.left_validity);
}
