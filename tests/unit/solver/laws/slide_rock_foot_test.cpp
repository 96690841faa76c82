#include <algorithm>
#include <cmath>

#include "solver/foot_roll.hpp"
#include "solver/laws/slide_rock_modes.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/feet.hpp"

using namespace topple::solver;
using topple::test::FootDraw;
using topple::test::random_foot;

namespace {

constexpr double kG = kStandardGravity_m_s2;

BaseMotion any_pulse(FootDraw& draw, const Specimen& specimen) {
    const auto& corners = specimen.foot->corners_m;
    const std::size_t face = standing_face(*specimen.foot);
    const double tips = kG * std::min(-corners[face][0], corners[face + 1][0]) / -corners[face][1];
    return sine_acceleration(tips * draw.between(.5, 5.0), draw.between(3.0, 25.0));
}

/// Kinetic energy and height of the mass centre, from what a run shows.
double energy_j(const Specimen& specimen, const RockingRun& run) {
    const FootRoll roll(*specimen.foot);
    const double rotation = run.rotation_rad(0), rate = run.rotation_rate_rad_s(0);
    const ProfilePoint& corner = roll.corner_m(roll.corner_at(rotation, rate));
    const Vec2 r = turned({-corner[0], -corner[1]}, std::sin(rotation), std::cos(rotation));
    const double vx = run.slip_rate_m_s() + rate * r.z, vz = -rate * r.x, mass = specimen.blocks[0].mass_kg;
    return .5 * mass * (vx * vx + vz * vz) + .5 * specimen.foot->inertia_kg_m2 * rate * rate + mass * kG * r.z;
}

}  // namespace

TEST_CASE("friction makes slide_rock the automatic model of a foot") {
    FootDraw draw(1);
    Specimen stone = random_foot(draw, 3);
    CHECK(model_for(stone, Model::automatic) == Model::rocking);
    stone.friction = Friction{.5, .4};
    CHECK(model_for(stone, Model::automatic) == Model::slide_rock);
    CHECK(model_for(stone, Model::rocking) == Model::rocking);
    CHECK_THROWS(model_for(stone, Model::linearised));
}

TEST_CASE("a foot that cannot slip rolls as in the rocking model, each change of pivot to 1e-8 s") {
    FootDraw draw(2);
    std::size_t compared = 0;
    for (int i = 0; i < 60; ++i) {
        Specimen stone = random_foot(draw, 1 + i % 9);
        const BaseMotion motion = any_pulse(draw, stone);
        const Prediction rocks = follow(stone, motion);
        stone.friction = Friction{50.0, 50.0};
        if (rocks.left_validity) continue;
        const Prediction slides = follow(stone, motion);
        INFO("case " << i);
        CHECK(slides.outcome == rocks.outcome);
        if (slides.settled_time_s) CHECK(slides.resting_face.value_or(99) == rocks.resting_face.value_or(99));
        const std::size_t count = std::min<std::size_t>({8, slides.impacts.size(), rocks.impacts.size()});
        for (std::size_t k = 0; k < count; ++k, ++compared) {
            CHECK(slides.impacts[k].face == rocks.impacts[k].face);
            CHECK(slides.impacts[k].time_s == Approx(rocks.impacts[k].time_s).margin(1e-8));
        }
    }
    CHECK(compared > 80);
}

TEST_CASE("a foot of two corners slides and rocks as the block of that shape") {
    FootDraw draw(3);
    for (int i = 0; i < 40; ++i) {
        const double width = draw.between(.05, .2), height = width * draw.between(1.0, 4.0), mass = draw.between(1, 9);
        Specimen block;
        block.blocks = {{width, height, mass}};
        const double mu = draw.between(.1, .8);
        block.friction = Friction{1.1 * mu, mu};
        Specimen foot = topple::test::with_foot(Foot{{{-.5 * width, -.5 * height}, {.5 * width, -.5 * height}},
                                                     mass * (width * width + height * height) / 12.0},
                                                mass);
        foot.friction = block.friction;
        const BaseMotion motion = any_pulse(draw, foot);
        const Prediction a = follow(block, motion), b = follow(foot, motion);
        CHECK(b.outcome == a.outcome);
        CHECK(b.slip->peak_m == Approx(a.slip->peak_m).margin(1e-9));
        CHECK(b.peak_rotation_rad[0] == Approx(a.peak_rotation_rad[0]).margin(1e-7));
    }
}

TEST_CASE("a mirrored foot slides and rolls in the mirror") {
    FootDraw draw(4);
    for (int i = 0; i < 60; ++i) {
        Specimen stone = random_foot(draw, 1 + i % 6);
        stone.friction = Friction{draw.between(.1, .9), 0.0};
        stone.friction->kinetic_ratio = stone.friction->static_ratio * draw.between(.7, 1.0);
        const BaseMotion motion = any_pulse(draw, stone);
        const Prediction a = follow(stone, motion), b = follow(topple::test::mirrored(stone), motion.scaled(-1.0));
        INFO("case " << i);
        REQUIRE(a.status == SolverStatus::ok);
        CHECK(b.outcome == a.outcome);
        CHECK(b.peak_rotation_rad[0] == Approx(a.peak_rotation_rad[0]).margin(1e-8));
        CHECK(b.slip->residual_m == Approx(-a.slip->residual_m).margin(1e-8));
        REQUIRE(a.resting_face.has_value() == b.resting_face.has_value());
        if (a.resting_face) CHECK(*a.resting_face + *b.resting_face + 2 == stone.foot->corners_m.size());
    }
}

TEST_CASE("a foot released on a still base loses energy only, whether it sticks, slips or rolls over its faces") {
    FootDraw draw(5);
    for (int i = 0; i < 80; ++i) {
        Specimen stone = random_foot(draw, 1 + i % 9);
        const double mu = draw.between(.05, 1.0);
        stone.friction = Friction{mu * draw.between(1.0, 1.3), mu};
        stone.initial_rotation_rad = {draw.between(-.9, .9)};
        stone.initial_rotation_rate_rad_s = {draw.between(-1.0, 1.0)};
        RockingRun run(stone, {});
        const double start_j = energy_j(stone, run);
        double before_j = start_j, worst_j = 0.0;
        for (double t = .004; t < 2.0; t += .004) {
            run.coast(t);
            if (std::abs(run.rotation_rad(0)) > 1.57) break;
            const double now_j = energy_j(stone, run);
            worst_j = std::max(worst_j, now_j - before_j);
            before_j = now_j;
        }
        INFO("case " << i << ": +" << worst_j << " of " << start_j << " J");
        CHECK(run.status() == SolverStatus::ok);
        CHECK(worst_j <= 1e-9 * start_j);
    }
}

TEST_CASE("impacts of faces beside the mass centre lose energy and push") {
    FootDraw draw(6);
    std::size_t stuck = 0, slipped = 0;
    for (int i = 0; i < 4000; ++i) {
        Specimen stone = random_foot(draw, 2 + i % 5);
        const double mu = draw.between(.02, 1.5);
        stone.friction = Friction{mu, mu};
        const bool is_geometric = i % 3 != 0;
        if (!is_geometric) stone.restitution.material = {draw.between(.2, 1.0)};
        for (const SlidingBody& body : faces_of_sliding_body(stone, kG))
            for (const int support : {-1, 1}) {
                const double rate = -support * draw.between(.1, 3.0), slip = i % 2 ? draw.between(-1.0, 1.0) : 0.0;
                const SlideRockImpact after = slide_rock_impact(body, support, rate, slip);
                const double before_j = slide_rock_energy_j(body, support, {0.0, rate, 0.0, slip}, kG);
                const double after_j = slide_rock_energy_j(body, after.support == 0 ? -support : after.support,
                                                           {0.0, after.rate_rad_s, 0.0, after.slip_rate_m_s}, kG);
                CHECK(after_j <= before_j * (1.0 + 1e-9) + 1e-12);
                CHECK((after.support == 0 || after.support == -support));
                if (after.support != 0) CHECK(after.rate_rad_s * rate > 0.0);
                // Vertical momentum: the base pushes the mass centre up.
                const double from = support * body.reach_m[side_index(support)] * rate;
                const double to = after.support * body.reach_m[side_index(after.support)] * after.rate_rad_s;
                if (is_geometric) CHECK(to - from >= -1e-12);
                (after.slip_rate_m_s == 0.0 ? stuck : slipped)++;
            }
    }
    CHECK(stuck > 1000);
    CHECK(slipped > 1000);
}
