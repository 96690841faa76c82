#include "solver/study/perturbation.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using topple::test::b6l;

TEST_CASE("No perturbation leaves the specimen as it was") {
    const Specimen same = perturbed(b6l(), {});
    CHECK(same.blocks[0].width_m == 0.06);
    CHECK(restitution_ratios(same) == restitution_ratios(b6l()));
    CHECK(same.initial_tilt_rad == 0.0);
}

TEST_CASE("The restitution of a perturbed block is that of its width, times the factor, at most 1") {
    const Specimen wide = perturbed(b6l(), {1.0, {1.01}, 0.0});
    const Specimen both = perturbed(b6l(), {0.98, {1.01}, 0.001});
    CHECK(restitution_ratios(both)[0] == Approx(0.98 * restitution_ratios(wide)[0]).epsilon(1e-14));
    CHECK(both.blocks[0].width_m == Approx(0.0606));
    CHECK(both.initial_tilt_rad == 0.001);
    CHECK(restitution_ratios(perturbed(b6l(), {1.2, {1.0}, 0.0}))[0] == 1.0);
}

TEST_CASE("Stacks and fixed ratios are scaled too") {
    Specimen stack = b6l();
    stack.blocks.push_back(Block{0.06, {0.135}, 1.2843});
    stack.restitution.material = {0.9};
    CHECK(perturbed(stack, {0.9, {1.0}, 0.0}).restitution.material[0] == Approx(0.81));
    CHECK(perturbed(stack, {1.0, {1.01}, 0.0}).blocks[1].width_m == Approx(0.0606));
    Specimen fixed = b6l();
    fixed.restitution.model = RestitutionModel::fixed;
    fixed.restitution.fixed_left_to_right = 0.8;
    fixed.restitution.fixed_right_to_left = 0.9;
    CHECK(perturbed(fixed, {0.5, {1.0}, 0.0}).restitution.fixed_left_to_right == Approx(0.4));
    CHECK(perturbed(fixed, {0.5, {1.0}, 0.0}).restitution.fixed_right_to_left == Approx(0.45));
}

TEST_CASE("Every side of an asymmetric body is widened on its own, at the same height of its mass centre") {
    Specimen body = b6l();
    body.pivots = Pivots{0.2, 0.3, 0.14, 0.145, 0.05};
    REQUIRE(foot_count(body) == 2);
    const Pivots wide = *perturbed(body, {1.0, {1.1, 0.95}, 0.0}).pivots;
    CHECK(wide.radius_left_m * std::cos(wide.alpha_left_rad) == Approx(0.14 * std::cos(0.2)).epsilon(1e-14));
    CHECK(wide.radius_left_m * std::sin(wide.alpha_left_rad) == Approx(1.1 * 0.14 * std::sin(0.2)).epsilon(1e-14));
    CHECK(wide.radius_right_m * std::cos(wide.alpha_right_rad) == Approx(0.145 * std::cos(0.3)).epsilon(1e-14));
    CHECK(wide.radius_right_m * std::sin(wide.alpha_right_rad) == Approx(0.95 * 0.145 * std::sin(0.3)).epsilon(1e-14));
    // A symmetric block described by its pivots is perturbed as the block itself is.
    const double half_width = 0.03, half_height = 0.135;
    Specimen symmetric = b6l();
    symmetric.pivots = Pivots{std::atan2(half_width, half_height), std::atan2(half_width, half_height),
                              std::hypot(half_width, half_height), std::hypot(half_width, half_height), 0.0164};
    const Pivots both = *perturbed(symmetric, {1.0, {1.01}, 0.0}).pivots;
    CHECK(std::tan(both.alpha_left_rad) ==
          Approx(std::tan(perturbed(b6l(), {1.0, {1.01}, 0.0}).blocks[0].slenderness_rad())).epsilon(1e-14));
    CHECK_THROWS_AS(perturbed(body, {1.0, {1.0, 1.0, 1.0}, 0.0}), std::invalid_argument);
}

TEST_CASE("Every block of a stack has its own width, no wider than what it stands on, and members draw each") {
    Specimen stack = b6l();
    stack.blocks.push_back(Block{0.05, 0.135, 1.0});
    stack.blocks.push_back(Block{0.05, 0.135, 1.0});
    stack.initial_rotation_rad = {0.0, 0.0, 0.0};
    REQUIRE(foot_count(stack) == 3);
    const Specimen changed = perturbed(stack, {1.0, {0.99, 1.02, 1.03}, 0.0});
    CHECK(changed.blocks[0].width_m == Approx(0.0594));
    CHECK(changed.blocks[1].width_m == Approx(0.051));
    CHECK(changed.blocks[2].width_m == changed.blocks[1].width_m);
}

TEST_CASE("A higher block keeps its mass, and is less stable by its own slenderness and inertia") {
    Perturbation higher;
    higher.height_factors = {1.02};
    const Specimen tall = perturbed(b6l(), higher);
    CHECK(tall.blocks[0].height_m == Approx(1.02 * 0.27));
    CHECK(tall.blocks[0].width_m == 0.06);
    CHECK(tall.blocks[0].mass_kg == b6l().blocks[0].mass_kg);
    Specimen described = b6l();
    described.blocks[0].height_m = 1.02 * 0.27;
    CHECK(restitution_ratios(tall)[0] == Approx(restitution_ratios(described)[0]).epsilon(1e-14));
}

TEST_CASE("Every block of a stack has its own height, and each side of an asymmetric body, over its own foot") {
    Specimen stack = b6l();
    stack.blocks.push_back(Block{0.05, 0.135, 1.0});
    stack.initial_rotation_rad = {0.0, 0.0};
    Perturbation by;
    by.height_factors = {1.01, 0.98};
    CHECK(perturbed(stack, by).blocks[0].height_m == Approx(1.01 * 0.27));
    CHECK(perturbed(stack, by).blocks[1].height_m == Approx(0.98 * 0.135));
    Specimen body = b6l();
    body.pivots = Pivots{0.2, 0.3, 0.14, 0.145, 0.05};
    const Pivots changed = *perturbed(body, by).pivots;
    CHECK(changed.radius_left_m * std::cos(changed.alpha_left_rad) == Approx(1.01 * 0.14 * std::cos(0.2)));
    CHECK(changed.radius_left_m * std::sin(changed.alpha_left_rad) == Approx(0.14 * std::sin(0.2)));
    CHECK(changed.radius_right_m * std::cos(changed.alpha_right_rad) == Approx(0.98 * 0.145 * std::cos(0.3)));
    CHECK(changed.inertia_kg_m2 == 0.05);
    by.height_factors = {1.0, 1.0, 1.0};
    CHECK_THROWS_AS(perturbed(body, by), std::invalid_argument);
}

TEST_CASE("The position of the impulse changes the improved law only, friction only what has friction") {
    Perturbation by;
    by.impulse_position_factor = 1.1;
    by.friction_factor = 0.9;
    Specimen improved = b6l();
    improved.restitution.model = RestitutionModel::improved;
    improved.restitution.impulse_position_k = 0.7;
    CHECK(perturbed(improved, by).restitution.impulse_position_k == Approx(0.77));
    CHECK(restitution_ratios(perturbed(improved, by)) != restitution_ratios(improved));
    CHECK(restitution_ratios(perturbed(b6l(), by)) == restitution_ratios(b6l()));
    CHECK_FALSE(perturbed(b6l(), by).friction);
    Specimen rough = b6l();
    rough.friction = Friction{0.5, 0.4};
    CHECK(perturbed(rough, by).friction->static_ratio == Approx(0.45));
    CHECK(perturbed(rough, by).friction->kinetic_ratio == Approx(0.36));
    // k first, then the factor of the ratio that follows from it.
    by.restitution_factor = 0.98;
    Specimen other = improved;
    other.restitution.impulse_position_k = 0.77;
    CHECK(restitution_ratios(perturbed(improved, by))[0] == Approx(0.98 * restitution_ratios(other)[0]));
}
