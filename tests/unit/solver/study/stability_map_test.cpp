#include "solver/study/stability_map.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "solver/predict.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

const Block kB6L{0.06, 0.27, 2.5692};
const Block kB3L{0.06, 0.135, 1.2843};
const MapWave kSine{sine_acceleration(3.0, 25.0), 25.0, 3.0};

Specimen one(const Block& block) {
    Specimen specimen;
    specimen.blocks = {block};
    return specimen;
}

MapOutcome at(const StabilityMap& map, double frequency_ratio, double amplitude_ratio) {
    const MapPoint point{frequency_ratio, amplitude_ratio};
    MapOutcome outcome;
    map.solve({&point, 1}, {&outcome, 1});
    return outcome;
}

std::vector<MapPoint> random_points(int count, double low, double high) {
    std::mt19937_64 generator(20240917);
    std::uniform_real_distribution<double> ratio(low, high);
    std::vector<MapPoint> points(static_cast<std::size_t>(count));
    for (MapPoint& point : points) {
        point.frequency_ratio = ratio(generator);
        point.amplitude_ratio = ratio(generator);
    }
    return points;
}

std::vector<MapOutcome> solve(const StabilityMap& map, const std::vector<MapPoint>& points) {
    std::vector<MapOutcome> outcomes(points.size());
    map.solve(points, outcomes);
    return outcomes;
}

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
    const auto points = random_points(count, 0.1, 10.0);
    const auto outcomes = solve(map, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (outcomes[i].same_class(map.solve_by_run(points[i])) || is_near_boundary(map, points[i])) continue;
        INFO("frequency ratio " << points[i].frequency_ratio << ", amplitude ratio " << points[i].amplitude_ratio);
        CHECK(false);
    }
}

/// p ta at which a constant pulse of a/g overturns a block from rest, exactly (docs/physics.md, elliptic integrals).
double critical_duration(double a, double alpha) {
    const double psi = alpha - std::asin(std::sin(alpha) - (1.0 - std::cos(alpha)) / a);
    const double c = std::atan(a) - alpha, k = std::cos(0.5 * c);
    const double u = std::asin(std::min(1.0, std::cos(0.5 * (c + psi)) / k));
    return (std::comp_ellint_1(k) - std::ellint_1(k, u)) / std::pow(1.0 + a * a, 0.25);
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
    for (unsigned seed = 1; seed <= 1000; ++seed) {
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
    CHECK(overturned > 200);
}

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
    const auto points = random_points(2000, 0.1, 10.0);
    const auto a = solve(small, points), b = solve(large, points);
    for (std::size_t i = 0; i < points.size(); ++i) CHECK(a[i].same_class(b[i]));
}

TEST_CASE("the mirrored wave overturns to the mirrored side") {
    const StabilityMap map(one(kB6L), kSine), mirrored(one(kB6L), {kSine.motion.scaled(-1.0), 25.0, 3.0});
    const auto points = random_points(500, 0.1, 10.0);
    const auto a = solve(map, points), b = solve(mirrored, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(a[i].outcome == b[i].outcome);
        CHECK((!a[i].direction || *a[i].direction != *b[i].direction));
    }
}

TEST_CASE("a point's outcome does not depend on the points solved beside it") {
    const StabilityMap map(one(kB6L), kSine);
    const auto points = random_points(3000, 0.1, 10.0);
    auto reversed = points;
    std::reverse(reversed.begin(), reversed.end());
    auto a = solve(map, points), b = solve(map, reversed);
    std::reverse(b.begin(), b.end());
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(a[i].same_class(b[i]));
        CHECK(a[i].steps == b[i].steps);
    }
}

TEST_CASE("the outcome along one motion is the one that predict gives") {
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

TEST_CASE("many specimens along one motion, a lane each, have the same outcomes as one by one step by step") {
    std::mt19937_64 random(7);
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
        for (int i = 0; i < 60; ++i) {
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
        CHECK(fallen > 5);
        CHECK(fallen < 55);
        CHECK(left > 0);
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
