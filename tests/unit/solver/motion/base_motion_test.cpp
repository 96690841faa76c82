#include <cmath>
#include <limits>
#include <stdexcept>

#include "solver/motion/base_motion.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {
constexpr double kPi = 3.14159265358979323846;
}

TEST_CASE("a base without pieces stays where it is") {
    CHECK(BaseMotion().at(3.0).displacement_m == 0.0);
    const BaseMotion gliding({}, 0.1, 0.5);
    CHECK(gliding.empty());
    CHECK(gliding.at(2.0).displacement_m == Approx(1.1));
    CHECK(BaseMotion().extremes().displacement_max_m == 0.0);
    CHECK(BaseMotion().plus(BaseMotion()).empty());
    CHECK(BaseMotion().then(constant_acceleration(1.0, 1.0)).at(1.0).velocity_m_s == Approx(1.0));
}

TEST_CASE("at a break `at` gives the right-hand and `before` the left-hand acceleration") {
    const BaseMotion motion = constant_acceleration_and_stop(2.0, 0.5, 4.0);
    CHECK(motion.before(0.0).acceleration_m_s2 == 0.0);
    CHECK(motion.at(0.0).acceleration_m_s2 == 2.0);
    CHECK(motion.before(0.5).acceleration_m_s2 == 2.0);
    CHECK(motion.at(0.5).acceleration_m_s2 == -4.0);
    CHECK(motion.before(0.75).acceleration_m_s2 == -4.0);
    CHECK(motion.at(0.75).acceleration_m_s2 == 0.0);
    CHECK(motion.end_s() == Approx(0.75));
}

TEST_CASE("the peaks of a single sine are known in closed form") {
    const double a0 = 3.0, w = 2 * kPi * 4.0;
    const BaseMotion::Extremes peak = sine_acceleration(a0, w).extremes();
    CHECK(peak.acceleration_peak_m_s2 == Approx(a0).epsilon(1e-15));
    CHECK(peak.velocity_peak_m_s == Approx(2 * a0 / w).epsilon(1e-15));
    CHECK(peak.velocity_peak_time_s == Approx(0.125).epsilon(1e-7));
    CHECK(peak.displacement_max_m == Approx(2 * kPi * a0 / (w * w)).epsilon(1e-15));
    CHECK(peak.displacement_min_m == 0.0);
    const BaseMotion::Extremes cosine = cosine_acceleration(a0, w).extremes();
    CHECK(cosine.displacement_max_m == Approx(2 * a0 / (w * w)).epsilon(1e-15));
    CHECK(cosine.velocity_peak_m_s == Approx(a0 / w).epsilon(1e-15));
}

TEST_CASE("a quintic move keeps to the tighter of its two peaks") {
    const BaseMotion::Extremes fast = rest_to_rest(0.2, 10.0, 1.5).extremes();
    CHECK(fast.acceleration_peak_m_s2 == Approx(1.5).epsilon(1e-14));
    CHECK(fast.velocity_peak_m_s < 10.0);
    const BaseMotion::Extremes slow = rest_to_rest(-0.2, 0.05, 100.0).extremes();
    CHECK(slow.velocity_peak_m_s == Approx(0.05).epsilon(1e-14));
    CHECK(slow.displacement_min_m == Approx(-0.2).epsilon(1e-14));
    CHECK(rest_to_rest(0.0, 1.0, 1.0).empty());
}

TEST_CASE("a harmonic displacement is the stated function in and between its ramps") {
    const double w = 10.0, amplitude = 0.02;
    const BaseMotion motion = harmonic_displacement(amplitude, w, 1.5, 5.0);
    const double ramp = 3 * kPi / w, end = 10 * kPi / w;
    for (double t = 0.0; t < end; t += 0.013) {
        const double u = std::min({t, end - t, ramp});
        const double r = 0.5 * (1 - std::cos(kPi * u / ramp));
        CHECK(motion.at(t).displacement_m == Approx(amplitude * r * std::sin(w * t)).margin(1e-14));
    }
    CHECK(motion.before(ramp).acceleration_m_s2 == Approx(motion.at(ramp).acceleration_m_s2).margin(1e-12));
}

TEST_CASE("a double pulse glides by friction, rebounds at the stopper and comes to rest") {
    const double v0 = 0.6, rise = 0.01, gap = 0.05, friction = 2.0, ratio = 0.4;
    const BaseMotion motion = double_pulse(v0, rise, gap, friction, ratio);
    REQUIRE(motion.pieces().size() == 4);
    const double hit = motion.pieces()[2].start_s;
    CHECK(motion.at(rise).velocity_m_s == Approx(v0));
    CHECK(motion.at(hit).displacement_m == Approx(gap).epsilon(1e-14));
    const double arrival = std::sqrt(v0 * v0 - 2 * friction * (gap - v0 * rise / 2));
    CHECK(motion.at(hit).velocity_m_s == Approx(arrival));
    CHECK(motion.at(hit + rise).velocity_m_s == Approx(-ratio * arrival));
    CHECK(std::abs(motion.at(motion.end_s()).velocity_m_s) < 1e-15);
    const BaseMotion mirrored = double_pulse(-v0, rise, gap, friction, ratio);
    CHECK(mirrored.at(0.1).displacement_m == -motion.at(0.1).displacement_m);
}

TEST_CASE("a double pulse that friction stops before the gap is one pulse") {
    const BaseMotion motion = double_pulse(0.3, 0.01, 0.5, 2.0, 0.4);
    CHECK(motion.pieces().size() == 2);
    CHECK(motion.end_s() == Approx(0.01 + 0.15));
    CHECK(double_pulse(0.6, 0.01, 0.05, 2.0, 0.0).pieces().size() == 3);
}

TEST_CASE("malformed motions are refused") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    MotionPiece first, second;
    first.end_s = 1.0;
    second.start_s = 1.5, second.end_s = 2.0;
    CHECK_THROWS_AS(BaseMotion({first, second}), std::invalid_argument);
    second.start_s = 1.0, second.end_s = 1.0;
    CHECK_THROWS_AS(BaseMotion({first, second}), std::invalid_argument);
    first.polynomial[2] = nan;
    CHECK_THROWS_AS(BaseMotion({first}), std::invalid_argument);
    CHECK_THROWS_AS(sine_acceleration(nan, 1.0), std::invalid_argument);
    CHECK_THROWS_AS(sine_acceleration(1.0, 0.0), std::invalid_argument);
    CHECK_THROWS_AS(cosine_acceleration(1.0, 1.0, 0.0), std::invalid_argument);
    CHECK_THROWS_AS(constant_acceleration_and_stop(1.0, 1.0, 0.0), std::invalid_argument);
    CHECK_THROWS_AS(harmonic_displacement(0.1, 1.0, 0.0, 3.0), std::invalid_argument);
    CHECK_THROWS_AS(harmonic_displacement(0.1, 1.0, 2.0, 3.0), std::invalid_argument);
    CHECK_THROWS_AS(sampled_acceleration({0.0, 1.0}, {1.0}), std::invalid_argument);
    CHECK_THROWS_AS(sampled_acceleration({0.0}, {1.0}), std::invalid_argument);
    CHECK_THROWS_AS(sampled_acceleration({0.0, 0.0}, {1.0, 2.0}), std::invalid_argument);
    CHECK_THROWS_AS(double_pulse(1.0, 0.1, 0.04, 1.0, 0.5), std::invalid_argument);
    CHECK_THROWS_AS(double_pulse(1.0, 0.1, 0.5, 1.0, 1.5), std::invalid_argument);
}
