// Runs along one record in lanes are those of the scalar solver; where they differ, the scalar solver's own answer
// hangs on the ninth digit of the amplitude.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "solver/predict.hpp"
#include "solver/study/record_suite.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/support/suite_runs.hpp"

using namespace topple::solver;
using namespace topple::test;
using topple::tests::RandomRuns;

namespace {

/// A block or a body that is not symmetric, often tilted, sometimes released from a lean.
Specimen body(Draws& draws) {
    const double height_m = draws.between(0.1, 4.0), width_m = height_m * draws.between(0.12, 0.6);
    Specimen specimen = stack({{width_m, height_m, 2.5}});
    if (draws.one_in(3)) specimen.initial_tilt_rad = draws.between(-0.05, 0.05);
    if (draws.one_in(4)) {
        Pivots pivots;
        pivots.alpha_left_rad = draws.between(0.1, 0.4);
        pivots.alpha_right_rad = draws.between(0.1, 0.4);
        pivots.radius_left_m = pivots.radius_right_m = draws.between(0.1, 2.0);
        pivots.inertia_kg_m2 = 2.5 * pivots.radius_left_m * pivots.radius_left_m / 3.0;
        specimen.pivots = pivots;
    }
    if (specimen.pivots || draws.one_in(2)) {
        specimen.restitution.model = RestitutionModel::fixed;
        specimen.restitution.fixed_left_to_right = draws.between(0.5, 1.0);
        specimen.restitution.fixed_right_to_left = draws.between(0.5, 1.0);
    }
    if (draws.one_in(6)) specimen.initial_rotation_rad = {draws.between(-0.1, 0.1)};
    return specimen;
}

bool same_bytes(const SuiteRun& a, const SuiteRun& b) {
    return is_alike(a, b) && a.status == b.status &&
           std::memcmp(&a.peak_rotation_ratio, &b.peak_rotation_ratio, sizeof(double)) == 0 &&
           std::memcmp(&a.end_time_s, &b.end_time_s, sizeof(double)) == 0;
}

}  // namespace

TEST_CASE("runs of random bodies along random records end and peak as those of the scalar solver") {
    const RandomRuns runs(20250611, 40);  // records
    Agreement sum;
    for (int i = 0; i < runs.count(); ++i) {
        INFO("seed of the record " << runs.seed(i));
        Draws draws(runs.seed(i));
        const RecordSuite suite(record(draws));
        std::vector<Specimen> members;
        std::vector<SuitePoint> points;
        for (std::size_t m = 0; m < 5; ++m) {
            members.push_back(body(draws));
            REQUIRE(suite.in_lanes(members.back()));
            for (int k = 0; k < 5; ++k)
                points.push_back({m,
                                  {uplift_acceleration_m_s2(members.back()) * draws.between(0.9, 4.0) *
                                       (draws.one_in(2) ? 1.0 : -1.0),
                                   draws.one_in(2) ? 1.0 : draws.between(0.5, 2.0)}});
        }
        std::vector<SuiteRun> results(points.size());
        suite.solve(members, points, results);
        for (std::size_t n = 0; n < points.size(); ++n)
            compare(suite, members[points[n].member], points[n], results[n], sum);
    }
    INFO(sum.runs << " runs, " << sum.uplifted << " uplifted, " << sum.fallen << " fell, " << sum.differing
                  << " differ, " << sum.sensitive << " are sensitive, " << sum.apart << " are apart");
    CHECK(sum.fallen > sum.runs / 5);
    CHECK(sum.fallen < sum.uplifted);
    CHECK(sum.uplifted < sum.runs);
    CHECK(sum.differing + sum.sensitive < sum.runs / 50);
    CHECK(sum.apart < sum.runs / 200);
}

TEST_CASE("the amplitude from which a body falls is that of the scalar solver to nine digits") {
    const RandomRuns runs(31, 30);
    for (int i = 0; i < runs.count(); ++i) {
        INFO("seed " << runs.seed(i));
        Draws draws(runs.seed(i));
        const RecordSuite suite(record(draws));
        const Specimen specimen = body(draws);
        const auto outcome = [&](double amplitude) {
            const SuitePoint point{0, {amplitude, 1.0}};
            SuiteRun run;
            suite.solve({&specimen, 1}, {&point, 1}, {&run, 1});
            return run.outcome;
        };
        double stands = 0.0, falls = uplift_acceleration_m_s2(specimen);
        while (outcome(falls) != Outcome::overturning) stands = falls, falls *= 1.3;
        while (falls - stands > 1e-11 * falls) {
            const double middle = 0.5 * (stands + falls);
            (outcome(middle) == Outcome::overturning ? falls : stands) = middle;
        }
        CAPTURE(falls);
        CHECK(suite.solve_by_run(specimen, {stands * (1.0 - 1e-9), 1.0}).outcome == outcome(stands * (1.0 - 1e-9)));
        CHECK(suite.solve_by_run(specimen, {falls * (1.0 + 1e-9), 1.0}).outcome == outcome(falls * (1.0 + 1e-9)));
    }
}

TEST_CASE("a jump of the base acceleration just before an impact leads the lanes where it leads the scalar solver") {
    const RandomRuns runs(1, 500);
    Agreement sum;
    for (int i = 0; i < runs.count(); ++i) {
        INFO("seed " << runs.seed(i));
        Draws draws(runs.seed(i));
        const double width_m = draws.between(0.03, 0.1), height_m = width_m * draws.between(1.2, 5.0);
        const double slenderness = std::atan(width_m / height_m);
        Specimen block = stack({{width_m, height_m, 1.0}});
        block.initial_rotation_rad = {draws.between(0.2, 0.9) * slenderness};
        SolverOptions free;
        free.settle_limit_s = 1.0;
        const std::vector<Impact> impacts = follow(block, {}, free).impacts;
        REQUIRE(!impacts.empty());
        const auto which = static_cast<std::size_t>(draws.between(0.0, std::min(12.0, double(impacts.size()))));
        const double jump_s = impacts[which].time_s - std::pow(10.0, draws.between(-7.0, -3.0));
        const double push_m_s2 = draws.between(1.5, 5.0) * 9.81 * std::tan(slenderness);
        const BaseMotion motion(
            {piece(0.0, jump_s, 1e-12), piece(jump_s, jump_s + draws.between(0.02, 0.15), push_m_s2)});
        const RecordSuite suite(motion);
        const SuitePoint point{0, {draws.one_in(2) ? 1.0 : -1.0, 1.0}};
        SuiteRun run;
        suite.solve({&block, 1}, {&point, 1}, {&run, 1});
        compare(suite, block, point, run, sum);
    }
    CHECK(sum.fallen > runs.scaled(100));
    CHECK(sum.differing + sum.sensitive + sum.apart < runs.scaled(5));
}

TEST_CASE("a run along a record is the same to the last bit in any company, order and number") {
    const RandomRuns runs(5, 1);
    Draws draws(runs.seed());
    const RecordSuite suite(record(draws));
    std::vector<Specimen> members;
    std::vector<SuitePoint> points;
    for (std::size_t m = 0; m < 40; ++m) {
        members.push_back(body(draws));
        for (int k = 0; k < 10; ++k)
            points.push_back({m, {uplift_acceleration_m_s2(members.back()) * draws.between(0.9, 4.0), 1.0}});
    }
    std::vector<SuiteRun> together(points.size()), backwards(points.size());
    suite.solve(members, points, together);
    std::vector<SuitePoint> reversed(points.rbegin(), points.rend());
    suite.solve(members, reversed, backwards);
    int different = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        SuiteRun alone;
        const SuitePoint point{0, points[i].scale};
        suite.solve({&members[points[i].member], 1}, {&point, 1}, {&alone, 1});
        different += !same_bytes(together[i], alone) || !same_bytes(together[i], backwards[points.size() - 1 - i]);
    }
    CHECK(different == 0);
}

TEST_CASE("a record that is turned round sends a symmetric block the other way, with the same peak and time") {
    const RandomRuns runs(11, 20);
    int fallen = 0;
    for (int i = 0; i < runs.count(); ++i) {
        Draws draws(runs.seed(i));
        const RecordSuite suite(record(draws));
        const Specimen block = b6l();
        const double amplitude = uplift_acceleration_m_s2(block) * draws.between(1.0, 3.0);
        const SuitePoint points[2] = {{0, {amplitude, 1.0}}, {0, {-amplitude, 1.0}}};
        SuiteRun to[2];
        suite.solve({&block, 1}, points, to);
        INFO("seed " << runs.seed(i));
        CHECK(to[0].outcome == to[1].outcome);
        CHECK(to[0].peak_rotation_ratio == to[1].peak_rotation_ratio);
        CHECK(to[0].end_time_s == to[1].end_time_s);
        if (to[0].outcome != Outcome::overturning) continue;
        ++fallen;
        CHECK(to[0].direction != to[1].direction);
    }
    CHECK(fallen > 0);
}

TEST_CASE("a block of four times the size along a record of half the speed does the same in twice the time") {
    const RandomRuns runs(13, 20);
    for (int i = 0; i < runs.count(); ++i) {
        Draws draws(runs.seed(i));
        const RecordSuite suite(record(draws));
        const double height_m = draws.between(0.2, 1.0), width_m = height_m * draws.between(0.15, 0.5);
        const Specimen members[2] = {stack({{width_m, height_m, 1.0}}), stack({{4.0 * width_m, 4.0 * height_m, 1.0}})};
        const double amplitude = uplift_acceleration_m_s2(members[0]) * draws.between(1.0, 1.5);
        const SuitePoint points[2] = {{0, {amplitude, 1.0}}, {1, {amplitude, 0.5}}};
        SuiteRun to[2];
        suite.solve(members, points, to);
        INFO("seed " << runs.seed(i));
        CHECK(to[0].outcome == to[1].outcome);
        CHECK(to[1].peak_rotation_ratio == Approx(to[0].peak_rotation_ratio).epsilon(1e-7));
        CHECK(to[1].end_time_s == Approx(2.0 * to[0].end_time_s).epsilon(1e-6));
    }
}
