// A foot that says at which rotation it counts as overturned: in its law, with sliding, in lanes, in contact dynamics.
#include <cmath>
#include <vector>

#include "solver/foot_roll.hpp"
#include "solver/laws/resting_places.hpp"
#include "solver/predict.hpp"
#include "solver/study/perturbation.hpp"
#include "solver/study/stability_map.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/feet.hpp"

using namespace topple::solver;
using namespace topple::test;

namespace {

/// A statue wider above, 0.14 m, than below, 0.10 m: on its side it lies turned by 1.531 rad.
Specimen flared(double overturned_rad) {
    Specimen specimen =
        with_foot({{{-0.07, 0.25}, {-0.05, -0.25}, {0.05, -0.25}, {0.07, 0.25}}, 0.2, overturned_rad}, 10.0);
    specimen.initial_rotation_rad = {0.3};
    return specimen;
}

Prediction contact(const Specimen& specimen, const BaseMotion& motion) {
    SolverOptions options;
    options.model = Model::contact_dynamics;
    options.contact.time_step_s = 1e-4;
    return follow(specimen, motion, options);
}

}  // namespace

TEST_CASE("a flared statue that falls onto its side has overturned where it says so") {
    const Prediction to_its_side = follow(flared(kLyingDown_rad), {});
    CHECK(to_its_side.outcome == Outcome::rocking);
    CHECK(to_its_side.resting_face == 2u);
    const Prediction fallen = follow(flared(1.2), {});
    CHECK(fallen.outcome == Outcome::overturning);
    CHECK(fallen.direction == Side::right);
    CHECK_FALSE(fallen.resting_face);
    Specimen base = flared(1.2);
    base.foot->corners_m = {{-0.05, -0.25}, {0.05, -0.25}};
    REQUIRE(fallen.overturn_time_s);
    CHECK(*fallen.overturn_time_s == Approx(follow(base, {}).overturn_time_s.value()).epsilon(1e-9));
    base.foot->overturned_rad = kLyingDown_rad;
    CHECK(*fallen.overturn_time_s < *follow(base, {}).overturn_time_s);
}

TEST_CASE("a fall to the left at its own rotation mirrors one to the right") {
    Specimen left = flared(1.2);
    left.initial_rotation_rad = {-0.3};
    const Prediction fallen = follow(left, {});
    CHECK(fallen.direction == Side::left);
    CHECK(*fallen.overturn_time_s == *follow(flared(1.2), {}).overturn_time_s);
}

TEST_CASE("sliding and contact dynamics count the same rotation as a fall") {
    Specimen sliding = flared(1.2);
    sliding.friction = Friction{5.0, 5.0};
    const double time_s = follow(flared(1.2), {}).overturn_time_s.value();
    CHECK(follow(sliding, {}).overturn_time_s.value_or(0.0) == Approx(time_s).epsilon(1e-6));
    const Prediction touching = contact(sliding, {});
    CHECK(touching.outcome == Outcome::overturning);
    CHECK(touching.overturn_time_s.value_or(0.0) == Approx(time_s).margin(2e-3));
}

TEST_CASE("lanes count the same rotation as a fall, and faces keep their numbers") {
    FootDraw draws(20);
    int fallen = 0, rests = 0, shorter = 0, differing = 0;
    constexpr int kRuns = 150;
    for (int i = 0; i < kRuns; ++i) {
        Specimen specimen = random_foot(draws, static_cast<int>(draws.between(2.0, 9.0)));
        specimen.foot->overturned_rad = draws.between(0.3, 1.5);
        const FaceRange roll = faces_of_roll(*specimen.foot);
        shorter += roll.end - roll.first + 1 < specimen.foot->corners_m.size();
        const double amplitude = std::max(0.3, uplift_acceleration_m_s2(specimen)) * draws.between(0.8, 4.0);
        const BaseMotion motion = sine_acceleration(amplitude, draws.between(3.0, 30.0));
        SolverOptions options;
        options.outcome_only = true;
        const Prediction lanes = predict_outcomes(std::vector<Specimen>(4, specimen), motion, options).front();
        const Prediction one = follow(specimen, motion);
        fallen += one.outcome == Outcome::overturning;
        rests += one.resting_face.has_value();
        if (one.resting_face) CHECK(roll.holds(*one.resting_face));
        differing += lanes.outcome != one.outcome || lanes.direction != one.direction ||
                     (one.resting_face && lanes.resting_face != one.resting_face);
    }
    INFO(differing << " differ");
    CHECK(fallen > kRuns / 10);
    CHECK(rests > kRuns / 10);
    CHECK(shorter > kRuns / 4);
    CHECK(differing <= kRuns / 100);
}

TEST_CASE("a place to rest beyond it is none, and where it ends before a hill it is no hill") {
    REQUIRE(resting_places(flared(kLyingDown_rad)).size() == 3);
    const std::vector<RestingPlace> places = resting_places(flared(1.2));
    REQUIRE(places.size() == 1);
    CHECK(places.front().face == 1);
    CHECK_FALSE(places.front().to_right.is_at_limit);
    CHECK_FALSE(places.front().to_right.face);
    CHECK(no_return_rad(flared(1.2))[1] == Approx(std::atan(0.2)));
    // On its side the mass centre would have to go beyond pi/2 to pass the outer corner.
    const WayOver way = resting_places(flared(kLyingDown_rad)).back().to_right;
    CHECK(way.is_at_limit);
    CHECK(way.balance_rad == kLyingDown_rad);
    const FootRoll roll(*flared(1.2).foot);
    CHECK(roll.barrier_m(0.0) == Approx(std::hypot(0.05, 0.25)));
}

TEST_CASE("a foot keeps it when it is worn, moved, stretched or turned") {
    Perturbation by;
    by.wear_m = 0.005;
    by.seat_m = 0.002;
    by.yaw_rad = 0.1;
    by.width_factors = {0.9};
    CHECK(perturbed(flared(1.2), by).foot->overturned_rad == 1.2);
}

TEST_CASE("it must be a rotation up to pi over 2 and beyond the start") {
    for (const double wrong : {0.0, -1.0, 1.6, std::nan("")})
        CHECK_THROWS_WITH(follow(flared(wrong), {}), Catch::Matchers::ContainsSubstring("overturned_rad"));
    CHECK_THROWS_WITH(follow(flared(0.29), {}), Catch::Matchers::ContainsSubstring("initial_rotation_rad"));
}
