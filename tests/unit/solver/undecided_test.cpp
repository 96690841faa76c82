// What still moves when the time allowed is over: told by its energy, or said to be undecided; never guessed.
#include <cmath>

#include "solver/laws/air_track.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using topple::test::stack;

namespace {

constexpr Block kTower{5.0, 100.0, 1000.0};

Specimen tower(double share_of_slenderness) {
    Specimen specimen = stack({kTower});
    specimen.initial_rotation_rad = {share_of_slenderness * kTower.slenderness_rad()};
    return specimen;
}

SolverOptions with(Model model) {
    SolverOptions options;
    options.model = model;
    return options;
}

}  // namespace

TEST_CASE("a block of 5 m x 100 m released beyond its slenderness falls, however slowly it begins") {
    for (const double excess : {1e-2, 1e-6, 1e-9, 1e-12, 1e-14}) {
        for (const double side : {-1.0, 1.0}) {
            INFO("excess " << excess << ", side " << side);
            const Prediction answer = follow(tower(side * (1.0 + excess)), {});
            CHECK(answer.status == SolverStatus::ok);
            CHECK(answer.outcome == Outcome::overturning);
            CHECK(answer.direction == (side < 0.0 ? Side::left : Side::right));
            CHECK(answer.blocks_overturned == std::vector<std::size_t>{0});
            CHECK(answer.overturn_time_s.has_value() == (excess > 1e-8));
            CHECK_FALSE(answer.settled_time_s);
        }
    }
    for (const double missing : {1e-2, 1e-6, 1e-12}) {
        const Prediction answer = follow(tower(1.0 - missing), {});
        CHECK(answer.status == SolverStatus::ok);
        CHECK(answer.outcome == Outcome::rocking);
    }
}

TEST_CASE("the other models find the slow fall too") {
    for (const Model model : {Model::slide_rock, Model::quasi_linear, Model::impulsive_force}) {
        Specimen beyond = tower(1.0 + 1e-9);
        if (model == Model::quasi_linear)
            beyond = tower(1.01 * std::tan(kTower.slenderness_rad()) / kTower.slenderness_rad());
        if (model == Model::slide_rock) beyond.friction = Friction{0.6, 0.5};
        SolverOptions options = with(model);
        if (model == Model::quasi_linear) options.settle_limit_s = 1.0;
        const Prediction answer = follow(beyond, {}, options);
        CHECK(answer.status == SolverStatus::ok);
        CHECK(answer.outcome == Outcome::overturning);
        CHECK(answer.direction == Side::right);
    }
}

TEST_CASE("a stack whose energy decides nothing when the time is over is undecided, not rocking") {
    Specimen towers = stack({kTower, kTower});
    const double slenderness = std::atan(kTower.width_m / (2.0 * kTower.height_m));
    towers.initial_rotation_rad = {(1.0 + 1e-12) * slenderness, (1.0 + 1e-12) * slenderness};
    const Prediction answer = follow(towers, {});
    CHECK(answer.status == SolverStatus::undecided);
    CHECK(answer.status_time_s == Approx(60.0).margin(1e-9).epsilon(0));
    CHECK(name(answer.status) == "undecided");
    Specimen gentle = stack({kTower, kTower});
    gentle.initial_rotation_rad = {0.05 * slenderness, 0.05 * slenderness};
    const Prediction told = follow(gentle, {});
    CHECK(told.status == SolverStatus::ok);
    CHECK(told.outcome == Outcome::rocking);
}

TEST_CASE("a slender tower of blocks that rocks as one body for minutes is rocking") {
    Specimen six = stack({{0.0673, 0.2897, 38.95},
                          {0.0630, 0.1803, 27.64},
                          {0.0555, 0.2552, 23.55},
                          {0.0431, 0.1047, 17.85},
                          {0.0426, 0.1109, 14.89},
                          {0.0402, 0.1808, 8.15}});
    six.initial_rotation_rad.assign(6, 0.02);
    const Prediction answer = follow(six, {});
    CHECK(answer.status == SolverStatus::ok);
    CHECK(answer.outcome == Outcome::rocking);
    CHECK(answer.blocks_overturned.empty());
    CHECK_FALSE(answer.settled_time_s);  // not within the time allowed
}

TEST_CASE("a run that is asked to settle for a short time says undecided only where something may still happen") {
    SolverOptions options;
    options.settle_limit_s = 0.01;
    const Specimen pair = stack({topple::test::kB3m, topple::test::kB6m});
    CHECK(follow(pair, sine_acceleration(6.0, 25.0), options).status == SolverStatus::undecided);
    CHECK(follow(pair, sine_acceleration(0.1, 25.0), options).status == SolverStatus::ok);
    RockingRun coasting(tower(1.0 + 1e-9), {});
    coasting.coast(60.0);
    CHECK(coasting.result().outcome == Outcome::rocking);  // what happened until now
}
