// What half cycles lose, against closed forms.
#include "solver/study/foot_decay.hpp"

#include <cmath>

#include "solver/predict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/feet.hpp"

using namespace topple::solver;

namespace {

constexpr double kMass = 2.0, kInertia = 0.05, kGyration2 = kInertia / kMass;
constexpr double kHalf = 0.05, kHeight = 0.2, kSide = 0.04, kSlope = 0.2;  // the standing face, those beside it

Specimen on_two_corners() {
    return topple::test::with_foot({{{-kHalf, -kHeight}, {kHalf, -kHeight}}, kInertia}, kMass);
}

Specimen on_four_corners() {
    const double x = kHalf + kSide * std::cos(kSlope), z = -kHeight + kSide * std::sin(kSlope);
    return topple::test::with_foot({{{-x, z}, {-kHalf, -kHeight}, {kHalf, -kHeight}, {x, z}}, kInertia}, kMass);
}

std::vector<double> released(Specimen specimen, double rotation_rad) {
    specimen.initial_rotation_rad = {rotation_rad};
    return apparent_restitution(specimen, follow(specimen, {}).turning_points, 0.0);
}

/// Share of the energy that an impact on a face leaves (docs/physics/irregular_bodies.md#impacts).
double kept(double length, double height, double r2, double other_r2) {
    return 1.0 - length * length * (kGyration2 + height * height) / ((kGyration2 + r2) * (kGyration2 + other_r2));
}

}  // namespace

TEST_CASE("on two corners every half cycle tells the ratio of the rates at the impact, also on a sloping seat") {
    for (const double tilt_rad : {0.0, 0.03}) {
        Specimen specimen = on_two_corners();
        specimen.restitution.material = {0.97};
        specimen.initial_tilt_rad = tilt_rad;
        const double ratio = restitution_ratios(specimen).at(0);
        const std::vector<double> ratios = released(specimen, 0.15);
        REQUIRE(ratios.size() > 5);
        for (std::size_t k = 0; k < 5; ++k) CHECK(ratios[k] == Approx(ratio).epsilon(1e-7));
    }
}

TEST_CASE("on four corners a half cycle loses what the three faces that it meets take in closed form") {
    const double inner_r2 = kHalf * kHalf + kHeight * kHeight;
    const double x = kHalf + kSide * std::cos(kSlope), z = kHeight - kSide * std::sin(kSlope), outer_r2 = x * x + z * z;
    const double side_height = std::sqrt(inner_r2) * std::cos(std::atan2(kHalf, kHeight) - kSlope);
    const double side = kept(kSide, side_height, inner_r2, outer_r2);
    const double middle = kept(2.0 * kHalf, kHeight, inner_r2, inner_r2);
    const double step = side_height - kHeight;  // of the mass centre, from the middle face to one beside it
    const auto past_side = [&](double energy) { return energy > step ? step + (energy - step) * side : energy; };

    const double start_rad = 0.4;
    double energy = std::sqrt(outer_r2) * std::cos(std::atan2(x, z) - start_rad) - kHeight;
    const std::vector<double> ratios = released(on_four_corners(), start_rad);
    REQUIRE(ratios.size() > 8);
    for (std::size_t k = 0; k < 8; ++k) {
        const double next = past_side(middle * past_side(energy));
        CAPTURE(k, energy, next);
        CHECK(ratios[k] == Approx(std::sqrt(next / energy)).epsilon(1e-7));
        energy = next;
    }
    CHECK(energy < step);  // both were seen: half cycles that meet three faces, and one
    CHECK(ratios.front() < ratios[7] - 0.005);
}

TEST_CASE("of the turning points only those of the free motion count, and the higher of two on one side") {
    const Specimen specimen = on_two_corners();
    const auto height = [&](double rotation) { return std::cos(std::atan2(kHalf, kHeight) - std::abs(rotation)); };
    const double flat = height(0.0);
    const std::vector<TurningPoint> turns = {{0.1, 0, -0.2}, {0.5, 0, 0.1}, {0.6, 0, 0.05}, {1.0, 0, -0.08}};
    const std::vector<double> ratios = apparent_restitution(specimen, turns, 0.2);
    REQUIRE(ratios.size() == 1);
    CHECK(ratios[0] == Approx(std::sqrt((height(-0.08) - flat) / (height(0.1) - flat))).epsilon(1e-12));
    CHECK(apparent_restitution(specimen, turns, 0.0).size() == 2);
    CHECK(apparent_restitution(specimen, turns, 1.1).empty());
}

TEST_CASE("a body that is no foot has no decay of one") {
    Specimen specimen;
    specimen.blocks = {{0.1, 0.4, 1.0}};
    CHECK(apparent_restitution(specimen, {{0.1, 0, -0.1}, {0.5, 0, 0.1}}, 0.0).empty());
}
