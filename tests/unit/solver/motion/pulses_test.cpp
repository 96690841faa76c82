#include "solver/motion/pulses.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "solver/motion/knots.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using std::numbers::pi;

namespace {

solver::BaseState end_of(const solver::BaseMotion& motion) { return motion.at(motion.end_s()); }

}  // namespace

TEST_CASE("a motion through knots has their displacement, velocity and acceleration and is a quintic between them") {
    // A quintic comes back exactly, whatever the knots.
    const auto quintic = [](double t) {
        return solver::BaseState{t * t * t * t * t - t * t, 5 * t * t * t * t - 2 * t, 20 * t * t * t - 2, 60 * t * t};
    };
    const std::vector<double> time_s{0.0, 0.3, 1.1, 1.2};
    std::vector<solver::BaseState> knots;
    for (const double t : time_s) knots.push_back(quintic(t));
    const auto motion = solver::motion_through(time_s, knots);
    for (double t = 0.0; t < 1.2; t += 0.01) {
        CHECK(motion.at(t).displacement_m == Approx(quintic(t).displacement_m).margin(1e-12));
        CHECK(motion.at(t).velocity_m_s == Approx(quintic(t).velocity_m_s).margin(1e-11));
        CHECK(motion.at(t).acceleration_m_s2 == Approx(quintic(t).acceleration_m_s2).margin(1e-9));
    }
    CHECK_THROWS_AS(solver::motion_through(std::vector<double>{0.0, 0.0}, std::vector<solver::BaseState>(2)),
                    std::invalid_argument);
    CHECK_THROWS_AS(solver::motion_through(std::vector<double>{0.0}, std::vector<solver::BaseState>(1)),
                    std::invalid_argument);
}

TEST_CASE("a symmetric Ricker wavelet has its peak, its zeros and its spectrum's peak where the formula says") {
    const double a0 = 3.0, f = 2.0;
    const auto motion = solver::symmetric_ricker(a0, f);
    const double centre_s = 0.5 * motion.end_s(), zero_s = 1.0 / (std::sqrt(2.0) * pi * f);
    CHECK(motion.at(centre_s).acceleration_m_s2 == Approx(a0).epsilon(1e-7));
    for (const double sign : {-1.0, 1.0})
        CHECK(motion.at(centre_s + sign * zero_s).acceleration_m_s2 == Approx(0.0).margin(1e-6));
    // Peak velocity at the zeros of the acceleration: a0 t exp(-1/2).
    CHECK(motion.extremes().velocity_peak_m_s == Approx(a0 * zero_s * std::exp(-0.5)).epsilon(1e-7));
    CHECK(motion.extremes().displacement_min_m == Approx(-a0 / (2 * pi * pi * f * f)).epsilon(1e-7));
    const auto spectrum = [&](double frequency_hz) {
        double cosine = 0.0;
        for (double t = 0.0; t < motion.end_s(); t += 1e-4)
            cosine += motion.at(t).acceleration_m_s2 * std::cos(2 * pi * frequency_hz * (t - centre_s));
        return cosine;
    };
    CHECK(spectrum(f) > spectrum(0.97 * f));
    CHECK(spectrum(f) > spectrum(1.03 * f));
}

TEST_CASE("an antisymmetric Ricker wavelet is odd about its centre and peaks at its amplitude") {
    const double a0 = -2.0, f = 1.5;
    const auto motion = solver::antisymmetric_ricker(a0, f);
    const double centre_s = 0.5 * motion.end_s();
    CHECK(motion.extremes().acceleration_peak_m_s2 == Approx(std::abs(a0)).epsilon(1e-6));
    // First lobe after the centre: -s (3 - s^2) exp(-s^2/2) a0/1.38 with s = 2 pi f t/sqrt 3.
    const double s = std::sqrt(3.0 - std::sqrt(6.0)), t = s * std::sqrt(3.0) / (2 * pi * f);
    CHECK(motion.at(centre_s + t).acceleration_m_s2 == Approx(-a0).epsilon(1e-6));
    for (double ahead = 0.0; ahead < 0.4 * motion.end_s(); ahead += 0.013)
        CHECK(motion.at(centre_s + ahead).acceleration_m_s2 ==
              Approx(-motion.at(centre_s - ahead).acceleration_m_s2).margin(1e-6));
}

TEST_CASE("the pulse of Mavroeidis and Papageorgiou has the velocity of its formula") {
    const solver::MavroeidisPapageorgiou pulse{0.4, 0.8, 2.3, 0.7};
    const auto motion = solver::mavroeidis_papageorgiou(pulse);
    CHECK(motion.end_s() == Approx(2.3 / 0.8));
    const double centre_s = 0.5 * motion.end_s();
    for (double t = 0.0; t < motion.end_s(); t += 0.01) {
        const double phase = 2 * pi * 0.8 * (t - centre_s);
        CHECK(motion.at(t).velocity_m_s ==
              Approx(0.2 * (1 + std::cos(phase / 2.3)) * std::cos(phase + 0.7)).margin(1e-13));
    }
    CHECK(std::abs(motion.at(0.0).acceleration_m_s2) < 1e-13);
    CHECK(std::abs(motion.before(motion.end_s()).acceleration_m_s2) < 1e-13);
    CHECK(solver::mavroeidis_papageorgiou({0.4, 0.8, 2.3, 0.0}).extremes().velocity_peak_m_s == Approx(0.4));
    CHECK_THROWS_AS(solver::mavroeidis_papageorgiou({0.4, 0.8, 1.0, 0.0}), std::invalid_argument);
}

TEST_CASE("cycloidal pulses have the velocities of Makris and Roussos, and C comes back") {
    const double vp = 0.3, f = 2.0, w = 2 * pi * f;
    const auto a = solver::cycloidal_a(vp, f), b = solver::cycloidal_b(vp, f);
    for (double t = 0.0; t < 0.5; t += 0.01) {
        CHECK(a.at(t).velocity_m_s == Approx(0.5 * vp * (1 - std::cos(w * t))).margin(1e-14));
        CHECK(b.at(t).velocity_m_s == Approx(vp * std::sin(w * t)).margin(1e-14));
    }
    CHECK(end_of(a).displacement_m == Approx(vp / (2 * f)));
    CHECK(end_of(b).displacement_m == Approx(0.0).margin(1e-15));
    // Published phases of C1 and C2: 0.0697 pi and 0.0410 pi.
    for (const auto& [cycles, phase_over_pi] : {std::pair{1, 0.0697}, std::pair{2, 0.0410}}) {
        const auto c = solver::cycloidal_c(vp, f, cycles);
        const double phase = std::acos(c.at(0.0).acceleration_m_s2 / (w * vp));
        CHECK(phase / pi == Approx(phase_over_pi).margin(5e-5));
        CHECK(c.end_s() * f == Approx(cycles + 0.5 - phase / pi));
        CHECK(end_of(c).displacement_m == Approx(0.0).margin(1e-14));
        CHECK(end_of(c).velocity_m_s == Approx(0.0).margin(1e-14));
    }
    CHECK_THROWS_AS(solver::cycloidal_c(vp, f, 0), std::invalid_argument);
}
