#include "controller/profile/profile.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace topple;
using controller::place;
using controller::Profile;
using controller::setpoints;

namespace {
constexpr double kTwoPi = 6.283185307179586;
}

TEST_CASE("centring puts the extremes of a motion symmetrically about mid stroke") {
    const auto sine = solver::sine_acceleration(3.0, kTwoPi * 4.0);
    const Profile centred = place(sine, true);
    CHECK(centred.start_position_m == Approx(-0.5 * kTwoPi * 3.0 / std::pow(kTwoPi * 4.0, 2)));
    CHECK(centred.at(0.25).displacement_m == Approx(-centred.start_position_m));
    CHECK(place(sine, false).start_position_m == 0.0);
}

TEST_CASE("a motion that does not rest at both ends is not placed on the table") {
    CHECK_THROWS_AS(place(solver::constant_acceleration(1.0, 0.1), true), std::invalid_argument);
    CHECK_THROWS_AS(place(solver::sampled_acceleration({0.0, 1.0}, {1.0, -1.0}, 0.5), true), std::invalid_argument);
    CHECK_THROWS_AS(place(solver::sine_acceleration(1.0, 1.0).shifted(-0.1), true), std::invalid_argument);
    CHECK_THROWS_AS(place(solver::BaseMotion({}, 0.1), true), std::invalid_argument);
    CHECK_NOTHROW(place(solver::constant_acceleration_and_stop(1.0, 0.1, 3.0), true));
}

TEST_CASE("positioning moves from rest to rest within its peaks") {
    const Profile move = controller::positioning(0.02, -0.03, 0.05, 0.5);
    CHECK(move.at(0.0).displacement_m == Approx(0.02));
    CHECK(move.at(move.duration_s()).displacement_m == Approx(-0.03));
    CHECK(move.motion.extremes().velocity_peak_m_s <= 0.05 * (1 + 1e-12));
}

TEST_CASE("a motion without pieces is one final setpoint where the platen stands") {
    const auto knots = setpoints(Profile{{}, 0.04}, 777, 2000);
    REQUIRE(knots.size() == 1);
    CHECK(knots[0].device_time_us == 777);
    CHECK(knots[0].axes[0].position_m == 0.04);
    CHECK(knots[0].final);
    CHECK_THROWS_AS(setpoints(Profile{}, 0, 0), std::invalid_argument);
}

TEST_CASE("a sine needs one setpoint per period and ends exactly at rest") {
    const Profile profile = place(solver::sine_acceleration(3.0, kTwoPi * 4.0), true);
    const auto knots = setpoints(profile, 1'000'000, 2000);
    REQUIRE(knots.size() == 126);
    CHECK(knots.front().device_time_us == 1'000'000);
    CHECK(knots.back().device_time_us == 1'250'000);
    CHECK(knots.back().axes[0].velocity_m_s == 0.0);
    CHECK(knots.back().axes[0].acceleration_m_s2 == 0.0);
    for (std::size_t i = 0; i < knots.size(); ++i) CHECK(knots[i].final == (i + 1 == knots.size()));
}

TEST_CASE("a jump of acceleration is two setpoints at one time with the left and the right limit") {
    const Profile profile = place(solver::constant_acceleration_and_stop(2.0, 0.1, 4.0), false);
    const auto knots = setpoints(profile, 0, 2000);
    CHECK(knots[0].axes[0].acceleration_m_s2 == 0.0);
    CHECK(knots[1].device_time_us == 0);
    CHECK(knots[1].axes[0].acceleration_m_s2 == 2.0);
    int at_break = 0;
    for (const auto& knot : knots) at_break += knot.device_time_us == 100'000;
    CHECK(at_break == 2);
    const auto& last_but_one = knots[knots.size() - 2];
    CHECK(last_but_one.device_time_us == 150'000);
    CHECK(last_but_one.axes[0].acceleration_m_s2 == -4.0);
    CHECK_FALSE(last_but_one.final);
    CHECK(knots.back().axes[0].acceleration_m_s2 == 0.0);
}

TEST_CASE("pieces shorter than a microsecond fall together into one jump") {
    const auto motion = solver::constant_acceleration_and_stop(2.0, 0.1, 4.0);
    solver::MotionPiece blip;
    blip.end_s = 2e-7;
    blip.polynomial[0] = 9.0;
    solver::MotionPiece counter = blip;
    counter.start_s = 2e-7, counter.end_s = 4e-7;
    counter.polynomial[0] = -9.0;
    const Profile profile{solver::BaseMotion({blip, counter}).then(motion), 0.0};
    const auto knots = setpoints(profile, 0, 2000);
    CHECK(knots[0].axes[0].acceleration_m_s2 == 0.0);
    CHECK(knots[1].axes[0].acceleration_m_s2 == 2.0);
    CHECK(knots[2].device_time_us > 0);
}

TEST_CASE("corners of a record, where the acceleration is continuous, take no double setpoint") {
    const auto record = solver::sampled_acceleration({0.0, 0.005, 0.015, 0.02}, {0.0, 1.0, -1.0, 0.0});
    const auto knots = setpoints(place(record, true), 0, 2000);
    CHECK(knots.size() == 11);
}
