// Which numbers a table can teach, and what a draw of them means.
#include "hil/outcome_fit/fit_parameters.hpp"

#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::outcome_fit;
using Catch::Matchers::ContainsSubstring;
using solver::DistributionKind;

namespace {

solver::Specimen block() {
    solver::Specimen specimen;
    specimen.blocks = {{0.06, 0.27, 2.5692}};
    specimen.initial_rotation_rad = {0.0};
    return specimen;
}

solver::Specimen pivoted() {
    solver::Specimen specimen = block();
    specimen.pivots = solver::Pivots{0.2, 0.25, 0.14, 0.15, 0.02};
    return specimen;
}

std::vector<std::string> keys_of(const FitParameters& parameters, Role role) {
    std::vector<std::string> keys;
    for (const FitParameter& one : parameters.all())
        if (one.role == role) keys.push_back(one.key);
    return keys;
}

std::string refusal(const std::vector<std::string>& learned) {
    try {
        FitParameters({}, block(), learned);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("what belongs to the specimen is learned and what belongs to the motion is drawn anew for each test") {
    const FitParameters parameters({}, block(), {});
    CHECK(keys_of(parameters, Role::learned) == std::vector<std::string>{"restitution", "width", "tilt_rad"});
    CHECK(keys_of(parameters, Role::per_test) == std::vector<std::string>{"amplitude"});
}

TEST_CASE("a parameter that is not named is drawn anew for each test") {
    const FitParameters parameters({}, block(), {"width"});
    CHECK(keys_of(parameters, Role::learned) == std::vector<std::string>{"width"});
    CHECK(keys_of(parameters, Role::per_test) == std::vector<std::string>{"restitution", "tilt_rad", "amplitude"});
    CHECK(parameters.varies_specimen_per_test());
}

TEST_CASE("each side of an asymmetric body has a width of its own") {
    const FitParameters parameters({}, pivoted(), {});
    CHECK(keys_of(parameters, Role::learned) ==
          std::vector<std::string>{"restitution", "width_left", "width_right", "tilt_rad"});
    const double draw[] = {0.0, 1.0, -2.0, 0.0}, own[] = {0.0};
    const auto member = parameters.member(parameters.values(draw, own));
    CHECK(member.perturbation.width_factors == std::vector<double>{1.005, 0.99});
}

TEST_CASE("how a body stands and what its faces do is learned where it is open, wear as a size") {
    solver::Uncertainty prior;
    prior.yaw_rad = {DistributionKind::normal, 0.1};
    prior.seat_m = {DistributionKind::normal, 0.001};
    prior.wear_m = {DistributionKind::normal, 0.002};
    prior.restitution_face = {DistributionKind::normal, 0.05};
    const FitParameters parameters(prior, pivoted(), {"yaw_rad", "seat_m", "wear_m", "restitution_face_0"});
    CHECK(keys_of(parameters, Role::learned) ==
          std::vector<std::string>{"yaw_rad", "seat_m", "wear_m", "restitution_face_0"});
    const double draw[] = {1.0, 2.0, -1.5, -1.0}, own[] = {0.0, 0.0, 0.0, 0.0, 0.0};
    const auto by = parameters.member(parameters.values(draw, own)).perturbation;
    CHECK(by.yaw_rad == Approx(0.1));
    CHECK(by.seat_m == Approx(0.002));
    CHECK(by.wear_m == Approx(0.003));
    CHECK(by.face_factors == std::vector<double>{0.95});
    CHECK(FitParameters({}, pivoted(), {}).member(std::vector<double>(20, 1.0)).perturbation.face_factors.empty());
}

TEST_CASE("sizes of the blocks of a stack are varied and not learned") {
    solver::Specimen stack = block();
    stack.blocks.push_back({0.06, 0.2, 2.0});
    stack.initial_rotation_rad = {0.0, 0.0};
    const FitParameters parameters({}, stack, {});
    CHECK(keys_of(parameters, Role::varied) == std::vector<std::string>{"width_block_0", "width_block_1"});
}

TEST_CASE("a draw gives the departures that the distributions say") {
    const FitParameters parameters({}, block(), {});
    const double draw[] = {1.0, -1.0, 2.0}, own[] = {3.0};
    const auto member = parameters.member(parameters.values(draw, own));
    CHECK(member.perturbation.restitution_factor == Approx(1.015));
    CHECK(member.perturbation.width_factors.front() == Approx(0.995));
    CHECK(member.perturbation.tilt_rad == Approx(0.004));
    CHECK(member.motion.amplitude == Approx(1.03));
}

TEST_CASE("a learned prior's correlation holds between the numbers of a draw") {
    solver::Uncertainty prior;
    solver::CorrelationFactor factor{};
    for (std::size_t i = 0; i < solver::kSpecimenParameters; ++i) factor[i][i] = 1.0;
    const auto width = static_cast<std::size_t>(solver::SpecimenParameter::width);
    factor[width] = {};
    factor[width][0] = 0.6;  // with restitution
    factor[width][width] = 0.8;
    prior.correlation = factor;
    const FitParameters parameters(prior, block(), {});
    const double draw[] = {1.0, 0.0, 0.0}, own[] = {0.0};
    CHECK(parameters.member(parameters.values(draw, own)).perturbation.width_factors.front() == Approx(1.003));
}

TEST_CASE("a key that cannot be learned is refused with what can be") {
    CHECK_THAT(refusal({"height"}), ContainsSubstring("height: fixed in [uncertainty]; allowed"));
    CHECK_THAT(refusal({"height"}), ContainsSubstring("restitution, width, tilt_rad"));
    CHECK_THAT(refusal({"amplitude"}), ContainsSubstring("belongs to the motion"));
    CHECK_THAT(refusal({"colour"}), ContainsSubstring("no parameter of this specimen"));
    CHECK_THAT(refusal({"friction"}), ContainsSubstring("no parameter of this specimen"));
}
