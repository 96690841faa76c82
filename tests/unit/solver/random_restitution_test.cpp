#include <cmath>

#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "solver/stack/random_ratio.hpp"
#include "solver/study/perturbation.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

Specimen random_block(double defect, std::uint64_t seed, double rotation_rad = 0.15) {
    Specimen block;
    block.blocks = {{0.06, 0.27, 2.5692}};
    block.initial_rotation_rad = {rotation_rad};
    block.restitution.model = RestitutionModel::random;
    block.restitution.random_defect_ratio = defect;
    block.restitution.random_seed = seed;
    return block;
}

}  // namespace

TEST_CASE("random ratios have -ln r with mean ln(1/r) and spread 2 defect (1 - r)/r, and stay between 0 and 1") {
    for (const double mean : {0.5385, 0.9294}) {
        const double defect = 0.05;
        RandomRatio random(mean, defect, 7);
        const int n = 400000;
        double sum = 0.0, squares = 0.0;
        for (int i = 0; i < n; ++i) {
            const double r = random.next();
            REQUIRE((r > 0.0 && r < 1.0));
            const double a = -std::log(r);
            sum += a;
            squares += a * a;
        }
        const double average = sum / n, spread = std::sqrt(squares / n - average * average);
        const double expected = 2 * defect * (1 - mean) / mean;
        CHECK(average == Approx(std::log(1 / mean)).margin(5 * expected / std::sqrt(n)));
        CHECK(spread == Approx(expected).epsilon(0.01));
    }
}

TEST_CASE("a corner worn by defect times half the width changes 1 - r by twice the defect, not once") {
    const double b = 0.03, h = 0.12, inertia = 4.0 / 3.0 * (b * b + h * h);  // half sizes, per mass
    for (const double defect : {1e-3, 1e-4}) {
        const double d = b * (1 - defect), change = (2 * d * d / inertia) / (2 * b * b / inertia) - 1;
        CHECK(change == Approx(-2 * defect).margin(2 * defect * defect));
    }
}

TEST_CASE("every impact draws its own ratio, the same for the same seed, and none without a defect") {
    const Prediction one = predict(random_block(0.05, 1), {}), again = predict(random_block(0.05, 1), {});
    REQUIRE(one.impacts.size() > 20);
    REQUIRE(one.impacts.size() == again.impacts.size());
    RandomRatio random(one.restitution.at(0), 0.05, 1);
    for (std::size_t i = 0; i < 20; ++i) {
        const double ratio = one.impacts[i].rotation_rate_after_rad_s[0] / one.impacts[i].rotation_rate_before_rad_s[0];
        CHECK(ratio == Approx(random.next()).epsilon(1e-13));
        CHECK(one.impacts[i].time_s == again.impacts[i].time_s);
    }
    CHECK(predict(random_block(0.05, 2), {}).impacts[1].time_s != one.impacts[1].time_s);
    Specimen housner = random_block(0.0, 1);
    CHECK(one.restitution.at(0) == Approx(1 - 1.5 * std::pow(std::sin(std::atan(0.06 / 0.27)), 2)).epsilon(1e-13));
    const Prediction still = predict(housner, {});
    housner.restitution.model = RestitutionModel::housner;
    CHECK(still.settled_time_s.value() == Approx(predict(housner, {}).settled_time_s.value()).margin(1e-8));
}

TEST_CASE("a copy of a run draws the same future, and the outcome alone agrees with the whole history") {
    const BaseMotion motion = sine_acceleration(5.0, 20.0);
    SolverOptions outcome_only;
    outcome_only.outcome_only = true;
    int overturned = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Specimen block = random_block(0.3, seed, 0.05);
        const BaseMotion pulse = motion.scaled(0.6 + 0.01 * static_cast<double>(seed));
        const Prediction whole = predict(block, pulse);
        CHECK(predict(block, pulse, outcome_only).outcome == whole.outcome);
        overturned += whole.outcome == Outcome::overturning;
    }
    CHECK(overturned > 0);
    CHECK(overturned < 60);
    RockingRun run(random_block(0.05, 3), {});
    run.coast(1.0);
    RockingRun fork = run;
    run.coast(3.0);
    fork.coast(3.0);
    CHECK(fork.rotation_rad(0) == run.rotation_rad(0));
}

TEST_CASE("every model of a single block draws random ratios") {
    for (const Model model : {Model::slide_rock, Model::linearised, Model::quasi_linear}) {
        Specimen block = random_block(0.05, 4, 0.1);
        if (model == Model::slide_rock) block.friction = Friction{5.0, 5.0};
        SolverOptions options;
        options.model = model;
        const Prediction answer = predict(block, {}, options);
        RandomRatio random(answer.restitution.at(0), 0.05, 4);
        REQUIRE(answer.impacts.size() > 5);
        for (std::size_t i = 0; i < 5; ++i)
            CHECK(answer.impacts[i].rotation_rate_after_rad_s[0] ==
                  Approx(random.next() * answer.impacts[i].rotation_rate_before_rad_s[0]).epsilon(1e-12));
    }
}

TEST_CASE("random restitution without a mean between 0 and 1 or for a stack is refused") {
    Specimen squat = random_block(0.05, 1, 0.0);
    squat.blocks[0].height_m = 0.03;  // Housner's ratio below 0
    CHECK_THROWS_AS(validate(squat), std::invalid_argument);
    squat.restitution.random_mean = 0.4;
    CHECK_NOTHROW(validate(squat));
    squat.restitution.random_mean = 1.0;
    CHECK_THROWS_AS(validate(squat), std::invalid_argument);
    CHECK_THROWS_AS(validate(random_block(0.5, 1)), std::invalid_argument);
    Specimen stack = random_block(0.05, 1, 0.0);
    stack.blocks.push_back(stack.blocks[0]);
    stack.initial_rotation_rad = {};
    CHECK_THROWS_AS(validate(stack), std::invalid_argument);
    // A member of an ensemble keeps the law about its own mean.
    Perturbation change;
    change.restitution_factor = 1.01;
    const Specimen member = perturbed(random_block(0.05, 1), change);
    CHECK(member.restitution.model == RestitutionModel::random);
    CHECK(restitution_ratios(member).at(0) == Approx(1.01 * restitution_ratios(random_block(0.05, 1)).at(0)));
}
