// Outcomes solved many at a time in lanes are those of the scalar solver.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "solver/predict.hpp"
#include "solver/study/stability_map.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/map_points.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;
using namespace topple::test;

namespace {

/// Within 1e-6 of a boundary of the map two good solvers may differ.
bool is_near_boundary(const StabilityMap& map, const MapPoint& point) {
    const MapOutcome here = at(map, point.frequency_ratio, point.amplitude_ratio);
    for (const double factor : {1.0 - 1e-6, 1.0 + 1e-6})
        if (!at(map, point.frequency_ratio * factor, point.amplitude_ratio).same_class(here) ||
            !at(map, point.frequency_ratio, point.amplitude_ratio * factor).same_class(here))
            return true;
    return false;
}

void check_against_runs(const Specimen& specimen, const MapWave& wave, int count) {
    const StabilityMap map(specimen, wave);
    REQUIRE(map.in_lanes());
    const topple::tests::RandomRuns runs(20240917, count);
    const auto points = random_points(runs, 0.1, 10.0);
    const auto outcomes = solve(map, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (outcomes[i].same_class(map.solve_by_run(points[i])) || is_near_boundary(map, points[i])) continue;
        INFO("frequency ratio " << points[i].frequency_ratio << ", amplitude ratio " << points[i].amplitude_ratio);
        CHECK(false);
    }
}

}  // namespace

TEST_CASE("points solved in lanes agree with the scalar solver for every kind of wave") {
    check_against_runs(one(kB6L), kSine, 300);
    check_against_runs(one(kB6L), {cosine_acceleration(3.0, 25.0), 25.0, 3.0}, 100);
    check_against_runs(one(kB6L), {sine_acceleration(3.0, 25.0, 5), 25.0, 3.0}, 100);
    check_against_runs(one(kB6L), {constant_acceleration(3.0, 0.2), 30.0, 3.0}, 100);
    check_against_runs(one(kB6L), {harmonic_displacement(0.01, 25.0, 2, 4), 25.0, 6.25}, 20);
    check_against_runs(one(kB6L), {double_pulse(0.5, 0.02, 0.05, 2.0, 0.5), 25.0, 10.0}, 20);
    check_against_runs(one(kB6L), {sampled_acceleration({0, 0.1, 0.15, 0.3, 0.4}, {0, 3, -4, 2, 0}), 25.0, 4.0}, 50);
}

TEST_CASE("points solved in lanes agree with the scalar solver for every kind of body") {
    Specimen asymmetric = one(kB6L);
    asymmetric.pivots = Pivots{0.2, 0.25, 0.13, 0.14, 0.0164};
    asymmetric.restitution.model = RestitutionModel::fixed;
    asymmetric.restitution.fixed_left_to_right = 0.95;
    asymmetric.restitution.fixed_right_to_left = 0.93;
    check_against_runs(asymmetric, kSine, 100);
    Specimen tilted = one(kB6L);
    tilted.initial_tilt_rad = 0.05;
    check_against_runs(tilted, kSine, 100);
    Specimen released = one(kB6L);
    released.initial_rotation_rad = {-0.1};
    check_against_runs(released, kSine, 100);
    for (const double height_m : {0.04, 0.07, 0.135}) check_against_runs(one({0.06, height_m, 1.0}), kSine, 50);
    for (const double ratio : {0.0, 1.0}) {
        Specimen bouncing = one(kB6L);
        bouncing.restitution.model = RestitutionModel::fixed;
        bouncing.restitution.fixed_left_to_right = bouncing.restitution.fixed_right_to_left = ratio;
        check_against_runs(bouncing, kSine, 50);
    }
}

TEST_CASE(
    "a jump of the base acceleration just before an impact: the lanes meet the scalar solver's impacts, 1,000 seeds") {
    int overturned = 0;
    const topple::tests::RandomRuns runs(1, 1000);
    for (int i = 0; i < runs.count(); ++i) {
        const std::uint64_t seed = runs.seed(i);
        std::mt19937 random(seed);
        const auto between = [&](double low, double high) {
            return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
        };
        const double width = between(0.03, 0.1), height = width * between(1.2, 5.0);
        Specimen block = one({width, height, 1.0});
        const double slenderness = std::atan(width / height);
        block.initial_rotation_rad = {between(0.2, 0.9) * slenderness};
        SolverOptions short_run;
        short_run.settle_limit_s = 1.0;
        const auto impacts = follow(block, {}, short_run).impacts;
        REQUIRE(!impacts.empty());
        const std::size_t which = random() % std::min<std::size_t>(impacts.size(), 12);
        const double jump_s = impacts[which].time_s - std::pow(10.0, between(-7.0, -3.0));
        const double push_m_s2 = (random() % 2 == 0 ? -1.0 : 1.0) * between(1.5, 5.0) * 9.81 * std::tan(slenderness);
        MotionPiece still, push;
        still.end_s = push.start_s = jump_s;
        push.end_s = jump_s + between(0.02, 0.15);
        still.polynomial[0] = 1e-12;
        push.polynomial[0] = push_m_s2;
        const BaseMotion motion({still, push});
        const auto lanes = outcome_in_lanes(block, motion, {});
        REQUIRE(lanes);
        INFO("seed " << seed);
        CHECK(lanes->same_class(map_outcome(block, motion, {})));
        overturned += lanes->outcome == Outcome::overturning ? 1 : 0;
    }
    CHECK(overturned > runs.scaled(200));
}

TEST_CASE("many specimens along one motion, a lane each, have the same outcomes as one by one step by step") {
    const topple::tests::RandomRuns runs(7, 60);  // specimens of each motion
    std::mt19937_64 random(runs.seed());
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::vector<double> time_s, acceleration_m_s2;
    for (int i = 0; i <= 400; ++i) {
        time_s.push_back(0.01 * i);
        acceleration_m_s2.push_back(i % 400 == 0 ? 0.0 : 1.6 * unit(random) + 1.3 * std::sin(0.07 * i));
    }
    SolverOptions options;
    options.outcome_only = true;
    for (const BaseMotion& motion : {sine_acceleration(3.0, 14.0), sampled_acceleration(time_s, acceleration_m_s2)}) {
        std::vector<Specimen> specimens;
        for (int i = 0; i < runs.count(); ++i) {
            Specimen specimen = one({0.06 + 0.02 * unit(random), 0.27 + 0.05 * unit(random), 2.5});
            specimen.initial_tilt_rad = 0.01 * unit(random);
            if (i % 3 == 0) specimen.initial_rotation_rad = {0.1 * unit(random)};
            specimen.restitution.model = RestitutionModel::fixed;
            specimen.restitution.fixed_left_to_right = 0.9 + 0.08 * unit(random);
            specimen.restitution.fixed_right_to_left = 0.9 + 0.08 * unit(random);
            if (i % 7 == 0) {  // not for the lanes
                specimen = one(kB3L);
                specimen.blocks.push_back(kB3L);
            }
            specimens.push_back(specimen);
        }
        const auto together = predict_outcomes(specimens, motion, options);
        REQUIRE(together.size() == specimens.size());
        int fallen = 0, left = 0;
        for (std::size_t i = 0; i < specimens.size(); ++i) {
            const Prediction alone = follow(specimens[i], motion, options);
            INFO(i);
            CHECK(together[i].outcome == alone.outcome);
            CHECK(together[i].direction == alone.direction);
            fallen += is_overturning(alone.outcome) ? 1 : 0;
            left += alone.direction == Side::left ? 1 : 0;
        }
        CHECK(fallen > runs.scaled(5));
        CHECK(fallen < runs.scaled(55));
        CHECK(left > 0);
    }
}

TEST_CASE("a point's outcome does not depend on the points solved beside it") {
    const StabilityMap map(one(kB6L), kSine);
    const topple::tests::RandomRuns runs(20240917, 3000);
    const auto points = random_points(runs, 0.1, 10.0);
    auto reversed = points;
    std::reverse(reversed.begin(), reversed.end());
    auto a = solve(map, points), b = solve(map, reversed);
    std::reverse(b.begin(), b.end());
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(a[i].same_class(b[i]));
        CHECK(a[i].steps == b[i].steps);
    }
}
