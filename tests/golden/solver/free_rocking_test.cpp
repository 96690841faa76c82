// Published and independently computed numbers of single blocks (tests/golden/solver/SOURCE.md).
#include <array>

#include "solver/predict.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {
constexpr double kTwoPi = 6.283185307179586;

Specimen released(Block block, double rotation_rad) {
    Specimen specimen;
    specimen.blocks = {block};
    specimen.initial_rotation_rad = {rotation_rad};
    return specimen;
}
}  // namespace

TEST_CASE("the 0.06 x 0.27 block released from 0.15 rad impacts at the known times and rests") {
    const Prediction answer = predict(released({0.06, 0.27, 2.5692}, 0.15), {}, {});
    const std::array<double, 5> expected = {.25051813, .63145080, .94958788, 1.22506643, 1.46832298};
    REQUIRE(answer.impacts.size() > expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(answer.impacts[i].time_s == Approx(expected[i]).margin(6e-9).epsilon(0));
    REQUIRE(answer.settled_time_s);
    CHECK(*answer.settled_time_s == Approx(4.20162809).margin(6e-9).epsilon(0));
    CHECK(answer.outcome == Outcome::rocking);
    CHECK(answer.peak_rotation_rad[0] == 0.15);
    CHECK(answer.restitution[0] == Approx(.9294117647).margin(1e-10).epsilon(0));
}

TEST_CASE("a bulky block released from 0.5 rad rests after 0.44 s") {
    const Prediction answer = predict(released({0.06, 0.09, 1.0}, 0.5), {}, {});
    CHECK(answer.impacts.at(0).time_s == Approx(.22251067).margin(6e-9).epsilon(0));
    CHECK(answer.settled_time_s.value() == Approx(.44070129).margin(6e-9).epsilon(0));
    CHECK(answer.restitution[0] == Approx(7.0 / 13.0).margin(1e-14).epsilon(0));
}

TEST_CASE("a single sine of 3 m/s2 and 4 Hz rocks the 0.06 x 0.27 block to 0.106 rad") {
    Specimen specimen;
    specimen.blocks = {{0.06, 0.27, 2.5692}};
    specimen.restitution.model = RestitutionModel::improved;
    specimen.restitution.impulse_position_k = 0.7306;
    const Prediction answer = predict(specimen, sine_acceleration(3.0, kTwoPi * 4.0), {});
    CHECK(answer.outcome == Outcome::rocking);
    CHECK(answer.peak_rotation_rad[0] == Approx(0.106).margin(5e-4).epsilon(0));
    CHECK(answer.settled_time_s.value() == Approx(7.1).margin(0.1).epsilon(0));
}
