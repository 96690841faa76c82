// Properties that every run of a body on a foot must have.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "solver/laws/foot_body.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/feet.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;
using namespace topple::test;

namespace {

constexpr unsigned kSeed = 20261130;

/// Of an amplitude that makes most of these bodies rock.
BaseMotion shaking(FootDraw& draw, const Specimen& specimen) {
    const double threshold = uplift_acceleration_m_s2(specimen);
    return sine_acceleration(draw.between(0.8, 4.0) * threshold * (draw.chance(0.5) ? 1.0 : -1.0),
                             draw.between(4.0, 30.0), draw.between(0.5, 2.0));
}

std::vector<Impact> worth_comparing(const Prediction& prediction, double smallest_rad_s = 1e-4) {
    std::vector<Impact> impacts = prediction.impacts;
    std::erase_if(
        impacts, [&](const Impact& impact) { return std::abs(impact.rotation_rate_before_rad_s[0]) < smallest_rad_s; });
    return impacts;
}

void check_close(const Prediction& a, const Prediction& b, double margin) {
    CHECK(a.outcome == b.outcome);
    CHECK(a.direction == b.direction);
    // A decaying sequence ends at a rate over p, and each law has its own p.
    const std::vector<Impact> first = worth_comparing(a), other = worth_comparing(b);
    REQUIRE(first.size() == other.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        REQUIRE(first[i].time_s == Approx(other[i].time_s).margin(margin).epsilon(0));
        REQUIRE(first[i].rotation_rate_after_rad_s[0] ==
                Approx(other[i].rotation_rate_after_rad_s[0]).margin(1e-7).epsilon(0));
    }
    REQUIRE(a.settled_time_s.has_value() == b.settled_time_s.has_value());
    if (a.settled_time_s) CHECK(*a.settled_time_s == Approx(*b.settled_time_s).margin(margin).epsilon(0));
    REQUIRE(a.overturn_time_s.has_value() == b.overturn_time_s.has_value());
    if (a.overturn_time_s) CHECK(*a.overturn_time_s == Approx(*b.overturn_time_s).margin(margin).epsilon(0));
}

}  // namespace

TEST_CASE("a foot of two corners gives the prediction of the same body described by its pivots") {
    topple::tests::RandomRuns runs(kSeed, 60);
    FootDraw draw(runs.seed());
    for (int i = 0; i < runs.count(); ++i) {
        Specimen foot = random_foot(draw, 1);
        if (draw.chance(0.5)) foot.restitution.material = {draw.between(0.5, 1.0)};
        if (draw.chance(0.3)) foot.initial_tilt_rad = draw.between(-0.01, 0.01);
        Specimen pivots = foot;
        pivots.pivots = pivots_of(foot);
        pivots.foot.reset();
        CAPTURE(i);
        const BaseMotion motion = shaking(draw, foot);
        check_close(follow(foot, motion, {}), follow(pivots, motion, {}), 1e-9);
        CHECK(uplift_acceleration_m_s2(foot) == Approx(uplift_acceleration_m_s2(pivots)).epsilon(1e-13));
        CHECK(restitution_ratios(foot)[0] == Approx(restitution_ratios(pivots)[0]).epsilon(1e-13));
    }
}

TEST_CASE("a rectangle given as a foot rocks as the block") {
    const Block block = kB6l;
    const double b = block.width_m, h = block.height_m;
    const Specimen foot =
        with_foot({{{-0.5 * b, -0.5 * h}, {0.5 * b, -0.5 * h}}, block.mass_kg * (b * b + h * h) / 12}, block.mass_kg);
    for (const double amplitude : {2.0, 3.0, 4.5, 7.0})
        check_close(follow(foot, sine_acceleration(amplitude, 25.0), {}),
                    follow(b6l(), sine_acceleration(amplitude, 25.0), {}), 1e-9);
}

TEST_CASE("the mirrored foot under the mirrored excitation gives the mirrored history to the last bit") {
    topple::tests::RandomRuns runs(kSeed + 1, 100);
    FootDraw draw(runs.seed());
    SolverOptions options;
    options.history_step_s = 0.01;
    options.settle_limit_s = 5.0;
    for (int i = 0; i < runs.count(); ++i) {
        Specimen specimen = random_foot(draw, 1 + i % 9);
        if (draw.chance(0.5)) specimen.initial_rotation_rad = {draw.between(-0.3, 0.3)};
        if (draw.chance(0.5)) specimen.initial_tilt_rad = draw.between(-0.02, 0.02);
        const BaseMotion motion = shaking(draw, specimen);
        const Prediction one = follow(specimen, motion, options);
        const Prediction other = follow(mirrored(specimen), motion.scaled(-1.0), options);
        CAPTURE(i);
        CHECK(one.outcome == other.outcome);
        CHECK(one.overturn_time_s == other.overturn_time_s);
        CHECK(one.settled_time_s == other.settled_time_s);
        CHECK(one.peak_rotation_rad == other.peak_rotation_rad);
        REQUIRE(one.impacts.size() == other.impacts.size());
        REQUIRE(one.history.size() == other.history.size());
        bool same = true;
        for (std::size_t k = 0; k < one.history.size(); ++k)
            same = same && one.history[k].rotation_rad[0] == -other.history[k].rotation_rad[0] &&
                   one.history[k].time_s == other.history[k].time_s;
        CHECK(same);
        if (one.resting_face) {
            REQUIRE(other.resting_face);
            CHECK(*one.resting_face == specimen.foot->corners_m.size() - 2 - *other.resting_face);
        }
    }
}

TEST_CASE("energy alone tells the outcome and the resting face that following the body to the end finds") {
    topple::tests::RandomRuns runs(kSeed + 2, 1500);
    FootDraw draw(runs.seed());
    SolverOptions outcome;
    outcome.outcome_only = true;
    int overturned = 0, elsewhere = 0;
    for (int i = 0; i < runs.count(); ++i) {
        Specimen specimen = random_foot(draw, 1 + i % 12);
        if (draw.chance(0.5)) specimen.restitution.material = {draw.between(0.3, 1.0)};
        if (draw.chance(0.3)) specimen.initial_tilt_rad = draw.between(-0.1, 0.1);
        BaseMotion motion;
        if (draw.chance(0.5)) {
            specimen.initial_rotation_rad = {draw.between(-1.5, 1.5)};
            if (draw.chance(0.5)) specimen.initial_rotation_rate_rad_s = {draw.between(-4.0, 4.0)};
        } else {
            motion = shaking(draw, specimen);
        }
        const Prediction followed = follow(specimen, motion, {});
        const Prediction by_energy = follow(specimen, motion, outcome);
        CAPTURE(i, specimen.foot->corners_m.size(), followed.impacts.size());
        REQUIRE(followed.status == SolverStatus::ok);
        REQUIRE(by_energy.status == SolverStatus::ok);
        REQUIRE(followed.outcome == by_energy.outcome);
        REQUIRE(followed.direction == by_energy.direction);
        REQUIRE(followed.resting_face == by_energy.resting_face);
        overturned += followed.outcome == Outcome::overturning ? 1 : 0;
        if (followed.resting_face && *followed.resting_face != standing_face(*specimen.foot)) ++elsewhere;
    }
    CHECK(overturned > runs.count() / 10);
    CHECK(elsewhere > runs.count() / 50);
}

TEST_CASE("the energy of a foot on a base at constant velocity never rises") {
    topple::tests::RandomRuns runs(kSeed + 3, 60);
    FootDraw draw(runs.seed());
    for (int i = 0; i < runs.count(); ++i) {
        Specimen specimen = random_foot(draw, 2 + i % 11);
        specimen.initial_rotation_rad = {draw.between(-1.2, 1.2)};
        const FootBody body = make_foot_body(specimen, kStandardGravity_m_s2);
        const auto energy = [&](const RockingRun& run) {
            const double rate = run.rotation_rate_rad_s(0);
            const FootPlace place = place_at(body, run.rotation_rad(0), rate);
            const double s = std::sin(place.from_face_rad), c = std::cos(place.from_face_rad);
            return 0.5 * body.corner(place.face, place.side).inertia_m2 * rate * rate +
                   kStandardGravity_m_s2 * turned(body.arm_m(place.face, place.side), s, c).z;
        };
        RockingRun run(specimen, {});
        double last = energy(run);
        for (int k = 1; k <= 200 && std::abs(run.rotation_rad(0)) < 1.5; ++k) {
            run.coast(0.01 * k);
            if (std::abs(run.rotation_rad(0)) >= 1.5) break;
            const double now = energy(run);
            REQUIRE(now <= last + 1e-9);
            last = now;
        }
        CHECK(run.status() == SolverStatus::ok);
    }
}

TEST_CASE("geometrically similar feet rock alike in scaled time") {
    topple::tests::RandomRuns runs(kSeed + 4, 20);
    FootDraw draw(runs.seed());
    for (int i = 0; i < runs.count(); ++i) {
        const Specimen small = random_foot(draw, 1 + i % 8);
        Specimen large = small;  // lengths times 4, times times 2
        for (ProfilePoint& corner : large.foot->corners_m) corner = {4.0 * corner[0], 4.0 * corner[1]};
        large.foot->inertia_kg_m2 *= 16.0;
        const double amplitude = draw.between(1.0, 3.0) * uplift_acceleration_m_s2(small), omega = draw.between(6, 30);
        const Prediction a = follow(small, sine_acceleration(amplitude, omega), {});
        const Prediction b = follow(large, sine_acceleration(amplitude, 0.5 * omega), {});
        CHECK(a.outcome == b.outcome);
        const std::vector<Impact> first = worth_comparing(a), other = worth_comparing(b, 0.5e-4);
        REQUIRE(other.size() == first.size());
        for (std::size_t k = 0; k < first.size(); ++k) {
            REQUIRE(other[k].face == first[k].face);
            REQUIRE(other[k].time_s == Approx(2.0 * first[k].time_s).margin(1e-8).epsilon(0));
        }
    }
}

TEST_CASE("what a foot does depends neither on the output step nor on how the motion is cut") {
    topple::tests::RandomRuns runs(kSeed + 5, 20);
    FootDraw draw(runs.seed());
    for (int i = 0; i < runs.count(); ++i) {
        const Specimen specimen = random_foot(draw, 1 + i % 8);
        const BaseMotion motion = shaking(draw, specimen);
        SolverOptions options;
        const Prediction plain = follow(specimen, motion, options);
        options.history_step_s = draw.between(1e-3, 0.1);
        const Prediction shown = follow(specimen, motion, options);
        CHECK(shown.peak_rotation_rad == plain.peak_rotation_rad);
        CHECK(shown.settled_time_s == plain.settled_time_s);
        REQUIRE(shown.impacts.size() == plain.impacts.size());
        RockingRun cut(specimen, {});
        double until = 0.0;
        for (const MotionPiece& piece : motion.pieces())
            while (until < piece.end_s) cut.advance(piece, until = std::min(piece.end_s, until + 0.00173));
        cut.settle(until + 60.0);
        check_close(cut.result(), plain, 1e-8);
    }
}

TEST_CASE("Newmark's method approaches the same crossings of a foot with the square of its step") {
    const Specimen specimen = with_foot({{{-0.2, -0.16}, {-0.1, -0.2}, {0.1, -0.2}, {0.16, -0.14}}, 0.03}, 2.0);
    Specimen released = specimen;
    released.initial_rotation_rad = {0.8};
    const Prediction exact = follow(released, {}, {});
    const auto largest_error = [&](double step_s) {
        SolverOptions options;
        options.integrator = Integrator::newmark;
        options.newmark_step_s = step_s;
        const Prediction newmark = follow(released, {}, options);
        double largest = 0.0;
        for (std::size_t k = 0; k < 6; ++k)
            largest = std::max(largest, std::abs(newmark.impacts.at(k).time_s - exact.impacts.at(k).time_s));
        return largest;
    };
    const double coarse = largest_error(2e-3), fine = largest_error(5e-4);
    CHECK(coarse < 1e-3);
    CHECK(fine < coarse / 8.0);
    CHECK(largest_error(5e-5) < 1e-6);
}

TEST_CASE("a steady vertical acceleration does to a foot what more gravity would do") {
    topple::tests::RandomRuns runs(kSeed + 6, 20);
    FootDraw draw(runs.seed());
    for (int i = 0; i < runs.count(); ++i) {
        const Specimen specimen = random_foot(draw, 1 + i % 8);
        const double threshold = uplift_acceleration_m_s2(specimen);
        const BaseMotion motion = sine_acceleration(draw.between(1.3, 3.0) * threshold, draw.between(5.0, 30.0));
        SolverOptions lifted, heavier;
        lifted.vertical = std::make_shared<const BaseMotion>(std::vector<MotionPiece>{piece(0.0, 200.0, 2.0)});
        heavier.gravity_m_s2 += 2.0;
        const Prediction a = follow(specimen, motion, lifted), b = follow(specimen, motion, heavier);
        CHECK(a.outcome == b.outcome);
        CHECK(a.resting_face == b.resting_face);
        const std::vector<Impact> first = worth_comparing(a), other = worth_comparing(b);
        REQUIRE(first.size() == other.size());
        for (std::size_t k = 0; k < first.size(); ++k)
            REQUIRE(first[k].time_s == Approx(other[k].time_s).margin(1e-8).epsilon(0));
    }
}
