#include "solver/specimen.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

Specimen block(double width_m = 0.06, double height_m = 0.27, double mass_kg = 2.5692) {
    Specimen specimen;
    specimen.blocks = {{width_m, height_m, mass_kg}};
    return specimen;
}

std::string refusal(const Specimen& specimen) {
    try {
        validate(specimen);
        require_rocking(specimen);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("sizes of a block follow from width and height") {
    const Block b6l{0.06, 0.27, 2.5692};
    CHECK(b6l.slenderness_rad() == Approx(.2186689459).margin(1e-10).epsilon(0));
    CHECK(b6l.half_diagonal_m() == Approx(.1382931669).margin(1e-10).epsilon(0));
    CHECK(b6l.frequency_parameter_rad_s(9.81) == Approx(7.293983464).margin(1e-9).epsilon(0));
}

TEST_CASE("a refused specimen names the field, the value and what is allowed") {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    for (const double bad : {0.0, -1.0, nan, inf}) {
        CHECK(refusal(block(bad)).find("blocks[0].width_m") == 0);
        CHECK(refusal(block(0.06, bad)).find("blocks[0].height_m") == 0);
        CHECK(refusal(block(0.06, 0.27, bad)).find("blocks[0].mass_kg") == 0);
    }
    CHECK(refusal(block(-1.0)) == "blocks[0].width_m = -1: must be finite and > 0");
    Specimen wider = block();
    wider.blocks.push_back({0.07, 0.1, 1.0});
    CHECK(refusal(wider).find("blocks[1].width_m") == 0);
    Specimen many;
    many.blocks.assign(9, {0.06, 0.27, 1.0});
    CHECK(refusal(many).find("blocks = 9") == 0);
    CHECK_NOTHROW(validate(many));  // for contact dynamics, like the wider block
    CHECK_NOTHROW(validate(wider));
    many.blocks.assign(65, {0.06, 0.27, 1.0});
    CHECK_THROWS_AS(validate(many), std::invalid_argument);
    Specimen list = block();
    list.interface_friction = {{.3, .2}, {.3, .2}};
    CHECK(refusal(list).find("friction: 2 values given") == 0);
    list.interface_friction = {{.3, .4}};
    CHECK(refusal(list).find("friction.kinetic") == 0);
}

TEST_CASE("restitution is refused out of range, of the wrong length, or where the model does not reach") {
    Specimen specimen = block();
    specimen.restitution.material = {1.01};
    CHECK(refusal(specimen).find("restitution.material") == 0);
    specimen.restitution.material = {1.0, 1.0};
    CHECK(refusal(specimen).find("restitution.material: 2 values given") == 0);
    specimen.restitution.material = {1.0};
    specimen.restitution.model = RestitutionModel::improved;
    specimen.restitution.impulse_position_k = -0.1;
    CHECK(refusal(specimen).find("restitution.k") == 0);
    specimen.restitution.impulse_position_k = 0.9;
    CHECK(refusal(specimen).empty());
    specimen.blocks.push_back(specimen.blocks[0]);
    CHECK(refusal(specimen).find("increase the energy") != std::string::npos);
    specimen.restitution.model = RestitutionModel::fixed;
    CHECK(refusal(specimen).find("restitution.model = fixed") == 0);
}

TEST_CASE("start, friction and pivots are checked") {
    Specimen specimen = block();
    specimen.initial_rotation_rad = {0.1, 0.1};
    CHECK(refusal(specimen).find("initial_rotation_rad: 2 values") == 0);
    specimen.initial_rotation_rad = {1.6};
    CHECK(refusal(specimen).find("initial_rotation_rad = 1.6") == 0);
    specimen.initial_rotation_rad = {};
    specimen.initial_tilt_rad = std::numeric_limits<double>::quiet_NaN();
    CHECK(refusal(specimen).find("initial_tilt_rad") == 0);
    specimen.initial_tilt_rad = 0.0;
    specimen.friction = Friction{0.3, 0.4};
    CHECK(refusal(specimen).find("friction.kinetic") == 0);
    specimen.friction.reset();
    specimen.pivots = Pivots{0.2, 0.0, 0.1, 0.1, 0.01};
    CHECK(refusal(specimen).find("pivots.alpha_right_rad") == 0);
    CHECK(refusal(Specimen{}).empty());
}

TEST_CASE("a block lifts at g tan(alpha), a stack where its lowest threshold is") {
    CHECK(uplift_acceleration_m_s2(block()) == Approx(9.81 * 0.06 / 0.27).epsilon(1e-14));
    CHECK(uplift_acceleration_m_s2(block(), 1.62) == Approx(1.62 * 0.06 / 0.27).epsilon(1e-14));
    Specimen stack = block();
    stack.blocks = {{0.06, 0.27, 1.0}, {0.06, 0.27, 3.0}};
    // (6.106): g b (m1 + m2) / (m1 h1 + m2 (2 h1 + h2))
    CHECK(uplift_acceleration_m_s2(stack) == Approx(9.81 * 0.06 * 4.0 / (0.27 + 3.0 * 0.81)).epsilon(1e-14));
    stack.blocks = {{0.5, 0.1, 100.0}, {0.05, 0.27, 1.0}};
    CHECK(uplift_acceleration_m_s2(stack) == Approx(9.81 * 0.05 / 0.27).epsilon(1e-14));
}

TEST_CASE("a sloping seat lowers the threshold of the downhill side") {
    Specimen tilted = block();
    tilted.initial_tilt_rad = 0.01;
    const double expected = 9.81 * (std::cos(0.01) * 0.06 / 0.27 - std::sin(0.01));
    CHECK(uplift_acceleration_m_s2(tilted) == Approx(expected).epsilon(1e-14));
    tilted.initial_tilt_rad = -0.01;
    CHECK(uplift_acceleration_m_s2(tilted) == Approx(expected).epsilon(1e-14));
}

TEST_CASE("restitution ratios: Housner, improved, fixed, material, asymmetric") {
    Specimen specimen = block();
    const double s2 = std::pow(std::sin(std::atan(0.06 / 0.27)), 2);
    CHECK(restitution_ratios(specimen).at(0) == Approx(1.0 - 1.5 * s2).epsilon(1e-14));
    specimen.restitution.model = RestitutionModel::improved;
    specimen.restitution.impulse_position_k = 0.7306;
    const double k2 = 0.7306 * 0.7306;
    // thesis (4.5)
    CHECK(restitution_ratios(specimen).at(0) ==
          Approx((4 - 3 * s2 * (1 + k2)) / (4 - 3 * s2 * (1 - k2))).epsilon(1e-14));
    specimen.restitution.material = {0.9};
    CHECK(restitution_ratios(specimen).at(0) ==
          Approx(0.9 * (4 - 3 * s2 * (1 + k2)) / (4 - 3 * s2 * (1 - k2))).epsilon(1e-14));
    specimen.restitution = {};
    specimen.restitution.model = RestitutionModel::fixed;
    specimen.restitution.fixed_left_to_right = 0.95;
    specimen.restitution.fixed_right_to_left = 0.93;
    CHECK(restitution_ratios(specimen) == std::vector<double>{0.95, 0.93});
    CHECK(restitution_ratios(block(0.1, 0.06)).at(0) == 0.0);
    CHECK(restitution_ratios(block(0.1, 0.0707)).at(0) == 0.0);
    CHECK(restitution_ratios(block(0.1, 0.0708)).at(0) > 0.0);
}

TEST_CASE("pivots of a homogeneous rectangle give the rectangle's threshold and ratio") {
    const Block b6l{0.06, 0.27, 2.5692};
    Specimen body;
    body.blocks = {{0.0, 0.0, b6l.mass_kg}};
    const double alpha = b6l.slenderness_rad(), radius = b6l.half_diagonal_m();
    body.pivots = Pivots{alpha, alpha, radius, radius, b6l.mass_kg * radius * radius / 3.0};
    CHECK(uplift_acceleration_m_s2(body) == Approx(uplift_acceleration_m_s2(block())).epsilon(1e-13));
    REQUIRE(restitution_ratios(body).size() == 1);
    CHECK(restitution_ratios(body).at(0) == Approx(restitution_ratios(block()).at(0)).epsilon(1e-13));
    body.pivots->alpha_right_rad = 0.15;
    body.pivots->radius_right_m = radius * std::cos(alpha) / std::cos(0.15);
    CHECK(restitution_ratios(body).size() == 2);
    CHECK(uplift_acceleration_m_s2(body) == Approx(9.81 * std::tan(0.15)).epsilon(1e-12));
}
