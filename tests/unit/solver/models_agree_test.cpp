// Models agree where they must: one test per pair, on moving bases, and what holds in each of them.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kG = kStandardGravity_m_s2, kWidth_m = .045, kHeight_m = .2025;

Specimen block(double friction) {
    Specimen specimen;
    specimen.blocks = {{kWidth_m, kHeight_m, 1.0896}};
    if (friction > 0.0) specimen.friction = Friction{friction, friction};
    return specimen;
}

SolverOptions with(Model model) {
    SolverOptions options;
    options.model = model;
    options.settle_limit_s = 4.0;
    return options;
}

SolverOptions contact_options(double time_step_s, double restitution = 0.0) {
    SolverOptions options = with(Model::contact_dynamics);
    options.contact.time_step_s = time_step_s;
    options.contact.restitution = restitution;
    return options;
}

/// Motions that rock the block, with one or more impacts before it comes to rest.
std::vector<BaseMotion> rocking_motions() {
    std::vector<BaseMotion> motions;
    for (int i = 0; i < 12; ++i)
        motions.push_back(sine_acceleration(kG * kWidth_m / kHeight_m * (1.15 + .05 * i), 22.0 + 1.3 * i));
    return motions;
}

/// Motions whose first turning point is large enough for a step of 1e-3 s; what comes after may be an overturning.
std::vector<BaseMotion> strong_motions() {
    std::vector<BaseMotion> motions;
    for (int i = 0; i < 12; ++i)
        motions.push_back(sine_acceleration(kG * kWidth_m / kHeight_m * (1.9 + .05 * i), 17.0 + .7 * i));
    return motions;
}

double total_mass_kg(const Specimen& specimen) {
    double mass_kg = 0.0;
    for (const Block& one : specimen.blocks) mass_kg += one.mass_kg;
    return mass_kg;
}

}  // namespace

TEST_CASE("full = contact dynamics in the limit of its time step: first turning point, an envelope of first order") {
    const auto envelope_rad = [](double time_step_s) {
        double largest = 0.0;
        for (const BaseMotion& motion : strong_motions()) {
            const Prediction full = follow(block(0.0), motion, with(Model::rocking));
            const Prediction contact = follow(block(.7), motion, contact_options(time_step_s));
            REQUIRE_FALSE(full.turning_points.empty());
            REQUIRE_FALSE(contact.turning_points.empty());
            CHECK(contact.outcome == full.outcome);
            for (std::size_t i = 0; i < 1; ++i)
                largest = std::max(
                    largest, std::abs(contact.turning_points[i].rotation_rad - full.turning_points[i].rotation_rad));
        }
        return largest;
    };
    const double coarse = envelope_rad(1e-3), medium = envelope_rad(1e-4), fine = envelope_rad(1e-5);
    INFO(coarse << " " << medium << " " << fine);
    CHECK(medium < coarse / 5.0);
    CHECK(fine < medium / 5.0);
    CHECK(fine < 2e-4);
}

TEST_CASE("full = multiple impact as e -> 0, also under a moving base: the difference goes with e") {
    for (const BaseMotion& motion : rocking_motions()) {
        const Prediction full = follow(block(0.0), motion, with(Model::rocking));
        double before = 1e9;
        for (const double e : {.1, .01, 0.0}) {
            SolverOptions options = with(Model::multiple_impact);
            options.multiple_impact.restitution = e;
            const Prediction bouncing = follow(block(.9), motion, options);
            REQUIRE(bouncing.turning_points.size() >= 2);
            const double off = std::abs(bouncing.turning_points[1].rotation_rad - full.turning_points[1].rotation_rad);
            INFO("e " << e << " off " << off);
            CHECK(off <= before + 1e-9);
            before = off;
        }
        CHECK(before < 1e-7);
    }
}

TEST_CASE("full = slide-rock where nothing slips, to rounding") {
    for (const BaseMotion& motion : rocking_motions()) {
        const Prediction full = follow(block(0.0), motion, with(Model::rocking));
        const Prediction sliding = follow(block(.9), motion, with(Model::slide_rock));
        REQUIRE(sliding.slip);
        CHECK(sliding.slip->peak_m < 1e-12);
        CHECK(sliding.outcome == full.outcome);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(sliding.impacts.at(i).time_s == Approx(full.impacts.at(i).time_s).margin(1e-8));
            CHECK(sliding.turning_points.at(i).rotation_rad ==
                  Approx(full.turning_points.at(i).rotation_rad).margin(1e-9));
        }
    }
}

TEST_CASE(
    "the stack engine = contact dynamics for the first three impacts, as long as it does not leave its validity") {
    int compared = 0;
    for (const double amplitude_m_s2 : {3.6, 3.8, 4.0, 4.5}) {
        Specimen stack;
        stack.blocks = {{.06, .135, 1.2843}, {.045, .10125, .5444}};
        stack.friction = Friction{.9, .9};
        const BaseMotion motion = sine_acceleration(amplitude_m_s2, 20.0);
        RockingRun watched = RockingRun::watched(stack, with(Model::rocking));
        for (const MotionPiece& piece : motion.pieces()) watched.advance(piece, piece.end_s);
        watched.settle(2.0);
        const Prediction rocking = watched.result();
        const Prediction contact = follow(stack, motion, contact_options(1e-5));
        const double until_s = rocking.left_validity ? rocking.left_validity->time_s : 2.0;
        for (std::size_t k = 0; k < 3 && k < rocking.impacts.size() && rocking.impacts[k].time_s < until_s; ++k) {
            INFO("amplitude " << amplitude_m_s2 << " impact " << k);
            REQUIRE(contact.impacts.size() > k);
            CHECK(contact.impacts[k].interface_index == rocking.impacts[k].interface_index);
            CHECK(contact.impacts[k].time_s == Approx(rocking.impacts[k].time_s).margin(5e-4));
            ++compared;
        }
    }
    CHECK(compared == 12);
}

TEST_CASE("mirrored motions give mirror images, with rebound, slip and flight, and of stacks") {
    Specimen stack;
    stack.blocks = {{.06, .135, 1.2843}, {.045, .10125, .5444}, {.045, .10125, .5444}};
    stack.friction = Friction{.5, .5};
    SolverOptions bouncing = with(Model::multiple_impact);
    bouncing.multiple_impact.restitution = .6;
    struct Case {
        const char* name;
        Specimen specimen;
        SolverOptions options;
    };
    const Case cases[] = {{"contact dynamics", block(.3), contact_options(1e-4)},
                          {"with rebound", block(.5), contact_options(1e-4, .4)},
                          {"stack", stack, contact_options(1e-4)},
                          {"multiple impact", block(.4), bouncing}};
    for (const Case& one : cases) {
        const Prediction right = follow(one.specimen, sine_acceleration(3.2, 20.0), one.options);
        const Prediction left = follow(one.specimen, sine_acceleration(-3.2, 20.0), one.options);
        INFO(one.name);
        CHECK(left.outcome == right.outcome);
        REQUIRE_FALSE(right.turning_points.empty());
        REQUIRE(left.turning_points.size() == right.turning_points.size());
        for (std::size_t i = 0; i < std::min<std::size_t>(2, right.turning_points.size()); ++i)
            CHECK(left.turning_points[i].rotation_rad == Approx(-right.turning_points[i].rotation_rad).margin(1e-8));
        REQUIRE(right.slip);
        CHECK(left.slip->peak_m == Approx(right.slip->peak_m).margin(1e-8));
    }
}

TEST_CASE(
    "action = reaction: what the base gives a bouncing block over a while is its momentum, gravity's and the base's") {
    // Between impacts the reaction is a force: over a tick without one the momentum relative to the base follows from
    // it.
    SolverOptions options = with(Model::multiple_impact);
    options.multiple_impact.restitution = .5;
    const Specimen specimen = block(.25);
    const BaseMotion motion = sine_acceleration(3.2, 20.0, 2.0);
    const double mass_kg = total_mass_kg(specimen);
    RockingRun run(specimen, options);
    const MotionPiece& piece = motion.pieces().front();
    const double tick_s = 2e-4;
    int checked = 0;
    for (double t = 0.0; t + tick_s < piece.end_s; t += tick_s) {
        const double a0 = motion.at(t).acceleration_m_s2, a1 = motion.at(t + tick_s).acceleration_m_s2;
        const std::size_t impacts = run.result().impacts.size();
        const double force_0_n = -run.base_reaction(a0).horizontal_n;
        const double momentum = run.standing_load().momentum_kg_m_s;
        run.advance(piece, t + tick_s);
        if (run.result().impacts.size() != impacts) continue;  // an impulse besides
        const double force_1_n = -run.base_reaction(a1).horizontal_n;
        if (std::abs(force_1_n - force_0_n) > .02 * mass_kg * kG) continue;  // a mode has changed in between
        const double gained = run.standing_load().momentum_kg_m_s - momentum;
        const double from_force = tick_s * (.5 * (force_0_n + force_1_n) - mass_kg * .5 * (a0 + a1));
        CHECK(gained == Approx(from_force).margin(2e-6));
        ++checked;
    }
    CHECK(checked > 1000);
}
