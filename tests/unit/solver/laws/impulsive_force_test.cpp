// Impacts by a concentrated force: what ratio of restitution it realises, and that it tends to the usual impact.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "solver/stack/random_ratio.hpp"
#include "solver/study/stability_map.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kGravity = 9.81;
const Block kB6L{0.06, 0.27, 2.5692}, kBulky{0.06, 0.09, 1.0};

Specimen released(const Block& block, double rotation_rad) {
    Specimen specimen;
    specimen.blocks = {block};
    specimen.initial_rotation_rad = {rotation_rad};
    return specimen;
}

SolverOptions with_force(double width_ratio = 1e-5) {
    SolverOptions options;
    options.model = Model::impulsive_force;
    options.impulse_width_ratio = width_ratio;
    return options;
}

/// Height of the mass centre above its rest over R, at rotation theta.
double lift(double alpha, double theta) { return std::cos(alpha - std::abs(theta)) - std::cos(alpha); }

/// Square root of the ratio of the energies (kinetic and potential) after and before the first impact.
double realised_ratio(const Block& block, double rotation_rad, double width_ratio) {
    const double alpha = block.slenderness_rad(), p = block.frequency_parameter_rad_s(kGravity);
    const Impact impact = predict(released(block, rotation_rad), {}, with_force(width_ratio)).impacts.at(0);
    const double edge = lift(alpha, 6.0 * width_ratio * alpha);  // rates are those at both edges of the layer
    const auto energy = [&](double rate) { return 0.5 * rate * rate / (p * p) + edge; };
    return std::sqrt(energy(impact.rotation_rate_after_rad_s[0]) / energy(impact.rotation_rate_before_rad_s[0]));
}

/// To first order in the width n the energy after is r^2 e + n alpha sin(alpha) c(A): the force brakes less where the
/// block is slower. c(A) = integral of 2 A b(y) |y| exp(-A erfc(y)), b the bell exp(-y^2)/sqrt(pi).
double first_order_ratio(const Block& block, double rotation_rad, double width_ratio) {
    const double alpha = block.slenderness_rad(), s = std::sin(alpha), ratio = 1.0 - 1.5 * s * s;
    const double amplitude = -std::log(ratio), step = 1e-3;
    double c = 0.0;
    for (double y = -6.0; y < 6.0; y += step) {
        const double m = y + 0.5 * step;
        c += step * 2.0 * amplitude * std::exp(-m * m) / std::sqrt(3.141592653589793) * std::abs(m) *
             std::exp(-amplitude * std::erfc(m));
    }
    return std::sqrt(ratio * ratio + width_ratio * alpha * s * c / lift(alpha, rotation_rad));
}

}  // namespace

TEST_CASE("the force realises exp(-A), to first order in its width") {
    for (const Block& block : {kB6L, kBulky}) {
        const double alpha = block.slenderness_rad(), s = std::sin(alpha), ratio = 1.0 - 1.5 * s * s;
        const double error = realised_ratio(block, 0.7 * alpha, 1e-3) - ratio;
        CHECK(error > 0.0);
        CHECK(realised_ratio(block, 0.7 * alpha, 1e-3) ==
              Approx(first_order_ratio(block, 0.7 * alpha, 1e-3)).margin(2e-6).epsilon(0));
        CHECK(realised_ratio(block, 0.7 * alpha, 1e-4) ==
              Approx(first_order_ratio(block, 0.7 * alpha, 1e-4)).margin(2e-8).epsilon(0));
        CHECK((realised_ratio(block, 0.7 * alpha, 1e-4) - ratio) / error == Approx(0.1).epsilon(0.01));
    }
    // h/b = 1.5: the printed factor sin(alpha)/alpha would give 0.5577.
    CHECK(realised_ratio(kBulky, 0.5, 1e-6) == Approx(7.0 / 13.0).margin(1e-6).epsilon(0));
}

TEST_CASE("free rocking tends to that of instantaneous impacts as the force gets narrower") {
    const Prediction full = predict(released(kB6L, 0.15), {});
    double last_error_s = 1.0;
    for (const double width_ratio : {1e-4, 1e-5, 1e-6}) {
        const Prediction force = predict(released(kB6L, 0.15), {}, with_force(width_ratio));
        REQUIRE(force.status == SolverStatus::ok);
        REQUIRE(force.impacts.size() > 5);
        double error_s = 0.0;
        for (std::size_t i = 0; i < 5; ++i)
            error_s = std::max(error_s, std::abs(force.impacts[i].time_s - full.impacts[i].time_s));
        CHECK(error_s < 2.0 * width_ratio);
        CHECK(error_s < 0.2 * last_error_s);
        last_error_s = error_s;
        // The smallest hops, of height n, are changed most: their time goes like sqrt(n).
        CHECK(force.settled_time_s.value() ==
              Approx(full.settled_time_s.value()).margin(2.0 * std::sqrt(width_ratio)).epsilon(0));
        CHECK(force.peak_rotation_rad[0] == 0.15);
    }
}

TEST_CASE("a block with the impulsive force does under a sine what the block with impacts does") {
    Specimen block;
    block.blocks = {kB6L};
    int fallen = 0, rocking = 0;
    for (int i = 1; i <= 24; ++i) {
        const BaseMotion motion = sine_acceleration(0.55 * i, 25.0);
        const Prediction full = predict(block, motion), force = predict(block, motion, with_force());
        CHECK(force.status == SolverStatus::ok);
        CHECK(force.outcome == full.outcome);
        CHECK(force.direction == full.direction);
        SolverOptions quick = with_force();
        quick.outcome_only = true;
        CHECK(predict(block, motion, quick).outcome == full.outcome);
        const Prediction mirrored = predict(block, motion.scaled(-1.0), with_force());
        CHECK(mirrored.peak_rotation_rad == force.peak_rotation_rad);
        CHECK(mirrored.impacts.size() == force.impacts.size());
        if (full.settled_time_s) CHECK(std::abs(force.settled_time_s.value() - *full.settled_time_s) < 0.03);
        fallen += full.outcome == Outcome::overturning ? 1 : 0;
        rocking += full.outcome == Outcome::rocking ? 1 : 0;
    }
    CHECK(fallen > 0);
    CHECK(rocking > 2);
    const StabilityMap by_force(block, {sine_acceleration(3.0, 25.0), 25.0, 3.0}, AmplitudeAxis::tangent, with_force());
    const StabilityMap map(block, {sine_acceleration(3.0, 25.0), 25.0, 3.0});
    CHECK_FALSE(by_force.in_lanes());
    for (const MapPoint point : {MapPoint{2.0, 1.5}, MapPoint{3.0, 6.0}, MapPoint{6.0, 3.0}, MapPoint{1.0, 0.9}}) {
        MapOutcome one, other;
        by_force.solve({&point, 1}, {&one, 1});
        map.solve({&point, 1}, {&other, 1});
        CHECK(one.same_class(other));
    }
}

TEST_CASE("each passage of the force draws its amplitude where restitution is random") {
    Specimen block = released(kB6L, 0.15);
    block.restitution.model = RestitutionModel::random;
    block.restitution.random_mean = 0.9;
    block.restitution.random_defect_ratio = 0.1;
    block.restitution.random_seed = 7;
    RandomRatio expected(0.9, 0.1, 7);
    const Prediction answer = predict(block, {}, with_force(1e-6));
    REQUIRE(answer.impacts.size() > 5);
    for (std::size_t i = 0; i < 5; ++i) {
        const Impact& impact = answer.impacts[i];
        CHECK(impact.rotation_rate_after_rad_s[0] / impact.rotation_rate_before_rad_s[0] ==
              Approx(expected.next()).margin(1e-4).epsilon(0));
    }
}

TEST_CASE("the impulsive force costs little at rest, loses nothing with ratio 1 and refuses what it cannot do") {
    Specimen block;
    block.blocks = {kB6L};
    RockingRun run(block, with_force());
    run.coast(1e9);
    CHECK(run.at_rest());
    CHECK(predict(block, sine_acceleration(2.0, 20.0), with_force()).outcome == Outcome::translation);
    Specimen elastic = released(kB6L, 0.1);
    elastic.restitution.model = RestitutionModel::fixed;
    SolverOptions options = with_force();
    options.settle_limit_s = 5.0;
    const Prediction bounces = predict(elastic, {}, options);
    CHECK_FALSE(bounces.settled_time_s);
    REQUIRE(bounces.impacts.size() > 10);
    CHECK(std::abs(bounces.impacts.back().rotation_rate_after_rad_s[0]) ==
          Approx(std::abs(bounces.impacts.front().rotation_rate_before_rad_s[0])).epsilon(1e-8));
    Specimen dead = block, slippery = block, pair = block;
    dead.blocks = {{0.1, 0.06, 1.0}};
    slippery.friction = Friction{0.5, 0.4};
    pair.blocks = {kB6L, kB6L};
    for (const Specimen& refused : {dead, slippery, pair})
        CHECK_THROWS_AS(RockingRun(refused, with_force()), std::invalid_argument);
    CHECK_THROWS_AS(RockingRun(block, with_force(0.0)), std::invalid_argument);
    CHECK_THROWS_AS(RockingRun(block, with_force(0.1)), std::invalid_argument);
}
