#include "solver/study/stability_map.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "solver/predict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/map_points.hpp"

using namespace topple::solver;
using namespace topple::test;

namespace {

/// p ta at which a constant pulse of a/g overturns a block from rest, exactly (docs/physics.md, elliptic integrals).
double critical_duration(double a, double alpha) {
    const double psi = alpha - std::asin(std::sin(alpha) - (1.0 - std::cos(alpha)) / a);
    const double c = std::atan(a) - alpha, k = std::cos(0.5 * c);
    const double u = std::asin(std::min(1.0, std::cos(0.5 * (c + psi)) / k));
    return (std::comp_ellint_1(k) - std::ellint_1(k, u)) / std::pow(1.0 + a * a, 0.25);
}

}  // namespace

TEST_CASE("a constant pulse overturns beyond the duration given by elliptic integrals, to 1e-9") {
    const StabilityMap map(one(kB6L), {constant_acceleration(3.0, 1.0), 1.0, 3.0});  // omega = 1 / duration
    for (const double amplitude : {1.01, 1.5, 3.0, 8.0}) {
        const double duration = critical_duration(amplitude * std::tan(map.slenderness_rad()), map.slenderness_rad());
        CHECK(at(map, (1.0 - 1e-9) / duration, amplitude).outcome == Outcome::overturning);
        CHECK(at(map, (1.0 + 1e-9) / duration, amplitude).outcome == Outcome::rocking);
    }
}

TEST_CASE("a single sine at omega/p = 4 overturns B3L with one impact, then not, then without impact") {
    const StabilityMap map(one(kB3L), kSine, AmplitudeAxis::angle);
    const auto is = [&](double amplitude, Outcome outcome, unsigned impacts) {
        const MapOutcome found = at(map, 4.0, amplitude);
        CHECK(found.outcome == outcome);
        CHECK(found.impacts_before_overturning == impacts);
    };
    is(3.147350, Outcome::rocking, 0);
    is(3.147352, Outcome::overturning, 1);
    is(4.401047, Outcome::overturning, 1);
    is(4.401049, Outcome::rocking, 0);
    is(5.811355, Outcome::rocking, 0);
    is(5.811357, Outcome::overturning, 0);
    CHECK(at(map, 4.0, 4.0).direction == Side::right);
    CHECK(at(map, 4.0, 7.0).direction == Side::left);
}

TEST_CASE("the uplift threshold of a map is an amplitude ratio of 1") {
    const StabilityMap map(one(kB6L), kSine);
    CHECK(at(map, 3.0, 1.0 - 1e-12).outcome == Outcome::translation);
    CHECK(at(map, 3.0, 1.0 + 1e-9).outcome == Outcome::rocking);
    CHECK(at(map, 3.0, 0.0).outcome == Outcome::translation);
}

TEST_CASE("a map depends on slenderness and restitution only, not on size or gravity") {
    const StabilityMap small(one(kB6L), kSine);
    const StabilityMap large(one({6.0, 27.0, 1.0}), {sine_acceleration(1.0, 2.0), 2.0, 1.0}, AmplitudeAxis::tangent,
                             1.62);
    const topple::tests::RandomRuns runs(20240917, 2000);
    const auto points = random_points(runs, 0.1, 10.0);
    const auto a = solve(small, points), b = solve(large, points);
    for (std::size_t i = 0; i < points.size(); ++i) CHECK(a[i].same_class(b[i]));
}

TEST_CASE("the mirrored wave overturns to the mirrored side") {
    const StabilityMap map(one(kB6L), kSine), mirrored(one(kB6L), {kSine.motion.scaled(-1.0), 25.0, 3.0});
    const topple::tests::RandomRuns runs(20240917, 500);
    const auto points = random_points(runs, 0.1, 10.0);
    const auto a = solve(map, points), b = solve(mirrored, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(a[i].outcome == b[i].outcome);
        CHECK((!a[i].direction || *a[i].direction != *b[i].direction));
    }
}

TEST_CASE("the outcome along one motion is that of predict()") {
    SolverOptions options;
    options.outcome_only = true;
    for (const Block& block : {kB6L, kB3L})
        for (const double rotation_rad : {0.0, 0.08})
            for (const double amplitude_m_s2 : {1.0, 3.0, 6.0, 9.0, 14.0}) {
                Specimen specimen = one(block);
                specimen.initial_rotation_rad = {rotation_rad};
                specimen.initial_tilt_rad = 0.002;
                const BaseMotion motion = sine_acceleration(amplitude_m_s2, 22.0).shifted(0.1);
                const Prediction prediction = predict(specimen, motion, options);
                const MapOutcome outcome = outcome_along(specimen, motion);
                CHECK(outcome.outcome == prediction.outcome);
                CHECK(outcome.direction == prediction.direction);
            }
}

TEST_CASE("stacks go through the scalar solver") {
    Specimen stack;
    stack.blocks = {kB3L, kB3L};
    const StabilityMap map(stack, kSine);
    CHECK_FALSE(map.in_lanes());
    CHECK(map.slenderness_rad() == Approx(kB6L.slenderness_rad()));
    CHECK(at(map, 3.0, 0.5).outcome == Outcome::translation);
    CHECK(is_overturning(at(map, 1.0, 5.0).outcome));
}

TEST_CASE("stacks of similar blocks have the same map in scaled axes") {
    // DB3M3M and DB3L3L: lengths 3 : 4, masses as weighed.
    const Block small{0.045, 0.10125, 0.5444};
    Specimen medium, large;
    medium.blocks = {small, small};
    large.blocks = {kB3L, kB3L};
    medium.restitution.material = large.restitution.material = {0.95};
    const StabilityMap one_map(medium, kSine), other_map(large, kSine);
    std::vector<MapPoint> points;
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) points.push_back({0.1 + 14.9 * i / 11, 0.1 + 29.9 * j / 11});
    const auto a = solve(one_map, points), b = solve(other_map, points);
    int different = 0, fallen = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        different += a[i].same_class(b[i]) && a[i].blocks_overturned == b[i].blocks_overturned ? 0 : 1;
        fallen += a[i].blocks_overturned > 0 ? 1 : 0;
    }
    CHECK(different == 0);
    CHECK(fallen > 20);
}

TEST_CASE("a map without a specimen or without a wave is refused") {
    CHECK_THROWS_AS(StabilityMap({}, kSine), std::invalid_argument);
    CHECK_THROWS_AS(StabilityMap(one(kB6L), {{}, 25.0, 3.0}), std::invalid_argument);
    CHECK_THROWS_AS(StabilityMap(one(kB6L), {kSine.motion, 0.0, 3.0}), std::invalid_argument);
    CHECK_THROWS_AS(StabilityMap(one(kB6L), {kSine.motion, 25.0, std::nan("")}), std::invalid_argument);
}
