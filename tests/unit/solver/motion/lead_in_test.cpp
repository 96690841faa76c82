#include "solver/motion/lead_in.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace topple;
using solver::with_lead_in;

TEST_CASE("a lead-in takes the step off a cosine and leaves the cosine itself unchanged") {
    const double a0 = 5.0, w = 20.0, jerk_max = 500.0;
    const auto cosine = solver::cosine_acceleration(a0, w);
    const auto led = with_lead_in(cosine, jerk_max);
    CHECK(led.lead_in_s == Approx(0.04));
    CHECK(led.lead_out_s == Approx(0.04));
    CHECK(led.motion.at(0.0).acceleration_m_s2 == 0.0);
    CHECK(std::abs(led.motion.before(led.motion.end_s()).acceleration_m_s2) < 1e-12);
    CHECK(std::abs(led.motion.at(led.motion.end_s()).velocity_m_s) < 1e-14);
    const double shift_m = led.motion.at(led.lead_in_s).displacement_m;
    CHECK(shift_m == Approx(-a0 * 0.04 * 0.04 / 12));
    for (double t = 0.0; t < cosine.end_s(); t += 0.007) {
        const auto original = cosine.at(t), now = led.motion.at(t + led.lead_in_s);
        CHECK(now.acceleration_m_s2 == Approx(original.acceleration_m_s2).margin(1e-11));
        CHECK(now.velocity_m_s == Approx(original.velocity_m_s).margin(1e-13));
        CHECK(now.displacement_m == Approx(original.displacement_m + shift_m).margin(1e-14));
    }
    double jerk = 0.0;
    for (const auto& piece : led.motion.pieces())
        for (const double t : {piece.start_s, piece.end_s - 1e-12})
            jerk = std::max(jerk, std::abs(led.motion.at(t).jerk_m_s3));
    CHECK(jerk <= jerk_max * (1 + 1e-9));
    CHECK(led.motion.start_s() == 0.0);
}

TEST_CASE("what a lead-in does to the motion is reported") {
    const auto led = with_lead_in(solver::cosine_acceleration(5.0, 20.0), 500.0);
    CHECK(led.counter_acceleration_m_s2 == Approx(5.0 / 3.0));
    CHECK(-led.motion.at(led.lead_in_s / 3).acceleration_m_s2 == Approx(led.counter_acceleration_m_s2));
    CHECK(led.velocity_peak_after_m_s == Approx(led.velocity_peak_before_m_s));
    CHECK(led.travel_before_m == Approx(2 * 5.0 / 400));
    // The whole cosine lies to the other side by the lead-in's shift; the lead-out takes that back.
    CHECK(led.travel_after_m == Approx(led.travel_before_m));
    CHECK(std::abs(led.motion.at(led.motion.end_s()).displacement_m) < 1e-14);
}

TEST_CASE("a sine has no step and stays as it is, a senseless jerk limit is refused") {
    const auto sine = solver::sine_acceleration(5.0, 20.0);
    const auto led = with_lead_in(sine, 500.0);
    CHECK(led.motion.end_s() == sine.end_s());
    CHECK(led.lead_in_s == 0.0);
    CHECK(led.lead_out_s == 0.0);
    CHECK_THROWS_AS(with_lead_in(sine, 0.0), std::invalid_argument);
    CHECK_THROWS_AS(with_lead_in(sine, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
}
