#include "solver/study/perturbation.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

Specimen b6l() {
    Specimen specimen;
    specimen.blocks = {Block{0.06, 0.27, 2.5692}};
    specimen.initial_rotation_rad = {0.0};
    return specimen;
}

}  // namespace

TEST_CASE("No perturbation leaves the specimen as it was") {
    const Specimen same = perturbed(b6l(), {});
    CHECK(same.blocks[0].width_m == 0.06);
    CHECK(restitution_ratios(same) == restitution_ratios(b6l()));
    CHECK(same.initial_tilt_rad == 0.0);
}

TEST_CASE("The restitution of a perturbed block is that of its width, times the factor, at most 1") {
    const Specimen wide = perturbed(b6l(), {1.0, 1.01, 0.0});
    const Specimen both = perturbed(b6l(), {0.98, 1.01, 0.001});
    CHECK(restitution_ratios(both)[0] == Approx(0.98 * restitution_ratios(wide)[0]).epsilon(1e-14));
    CHECK(both.blocks[0].width_m == Approx(0.0606));
    CHECK(both.initial_tilt_rad == 0.001);
    CHECK(restitution_ratios(perturbed(b6l(), {1.2, 1.0, 0.0}))[0] == 1.0);
}

TEST_CASE("Stacks and fixed ratios are scaled too") {
    Specimen stack = b6l();
    stack.blocks.push_back(Block{0.06, 0.135, 1.2843});
    stack.initial_rotation_rad.push_back(0.0);
    stack.restitution.material = {0.9};
    CHECK(perturbed(stack, {0.9, 1.0, 0.0}).restitution.material[0] == Approx(0.81));
    CHECK(perturbed(stack, {1.0, 1.01, 0.0}).blocks[1].width_m == Approx(0.0606));
    Specimen fixed = b6l();
    fixed.restitution.model = RestitutionModel::fixed;
    fixed.restitution.fixed_left_to_right = 0.8;
    fixed.restitution.fixed_right_to_left = 0.9;
    CHECK(perturbed(fixed, {0.5, 1.0, 0.0}).restitution.fixed_left_to_right == Approx(0.4));
    CHECK(perturbed(fixed, {0.5, 1.0, 0.0}).restitution.fixed_right_to_left == Approx(0.45));
}

TEST_CASE("An ensemble has the stated spread and no correlation") {
    constexpr int kMembers = 20000;
    double sum[3] = {}, square[3] = {}, cross = 0.0;
    for (std::uint64_t i = 0; i < kMembers; ++i) {
        const Perturbation member = ensemble_member({}, 1, i);
        const double unit[3] = {(member.restitution_factor - 1) / 0.015, (member.width_factor - 1) / 0.005,
                                member.tilt_rad / 0.002};
        for (int k = 0; k < 3; ++k) {
            sum[k] += unit[k];
            square[k] += unit[k] * unit[k];
        }
        cross += unit[0] * unit[2];
    }
    const double five_sigma = 5 / std::sqrt(double{kMembers});  // of the mean of a standard normal
    for (int k = 0; k < 3; ++k) {
        CHECK(std::abs(sum[k] / kMembers) < five_sigma);
        CHECK(square[k] / kMembers == Approx(1.0).margin(1.5 * five_sigma));
    }
    CHECK(std::abs(cross / kMembers) < five_sigma);
}

TEST_CASE("A member depends on seed and index only, and differs with each") {
    const Perturbation member = ensemble_member({}, 5, 7);
    CHECK(ensemble_member({}, 5, 7).restitution_factor == member.restitution_factor);
    CHECK(ensemble_member({}, 5, 8).restitution_factor != member.restitution_factor);
    CHECK(ensemble_member({}, 6, 7).restitution_factor != member.restitution_factor);
}
