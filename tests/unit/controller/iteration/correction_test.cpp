#include "controller/iteration/correction.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "controller/iteration/fourier.hpp"
#include "controller/profile/profile.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::controller;

namespace {

/// 0.1 mm, a bell of two waves.
Correction bell(double duration_s) {
    Correction correction = zero_correction(duration_s, 0.002);
    const double end_s = correction.end_s();
    for (std::size_t i = 1; i + 1 < correction.displacement_m.size(); ++i) {
        const double q = static_cast<double>(i) * correction.step_s / end_s;
        const double s = std::sin(std::numbers::pi * q);
        correction.displacement_m[i] = 1e-4 * s * s * std::sin(4.0 * std::numbers::pi * q);
    }
    return correction;
}

}  // namespace

TEST_CASE(
    "a corrected drive is target and correction, its displacement, velocity and acceleration belonging together") {
    for (const solver::BaseMotion& target :
         {solver::sine_acceleration(6.0, 15.0), solver::cosine_acceleration(3.0, 20.0, 3.0),
          solver::harmonic_displacement(0.02, 12.0, 1.0, 5.0)}) {
        const Correction correction = bell(target.end_s());
        const solver::BaseMotion drive = corrected(target, correction);
        CHECK(drive.end_s() == Approx(target.end_s() + kCorrectionTail_s).margin(1e-9));
        const auto curvature = correction.acceleration_m_s2();
        for (std::size_t i = 1; i + 1 < correction.displacement_m.size(); i += 7) {
            const double t = static_cast<double>(i) * correction.step_s;
            const auto state = drive.at(t), wanted = target.at(t);
            CHECK(state.displacement_m == Approx(wanted.displacement_m + correction.displacement_m[i]).margin(1e-10));
            CHECK(state.acceleration_m_s2 == Approx(wanted.acceleration_m_s2 + curvature[i]).margin(1e-6));
            const double h = 1e-5;  // velocity is the slope of displacement, acceleration that of velocity
            CHECK((drive.at(t + h).displacement_m - drive.at(t - h).displacement_m) / (2.0 * h) ==
                  Approx(state.velocity_m_s).margin(1e-6));
        }
        // From rest to rest, and where the target ends.
        CHECK_NOTHROW(place(drive, true));
        CHECK(drive.at(drive.end_s()).displacement_m == Approx(target.at(target.end_s()).displacement_m).margin(1e-10));
        CHECK(std::abs(drive.at(drive.end_s()).velocity_m_s) < 1e-10);
        CHECK(setpoints(place(drive, true), 0, 2000).back().final);
    }
}

TEST_CASE("the spline's curvature is that of the curve it goes through") {
    const Correction correction = bell(1.9);
    const double end_s = correction.end_s(), w = std::numbers::pi / end_s;
    const auto curvature = correction.acceleration_m_s2();
    for (std::size_t i = 0; i < curvature.size(); i += 11) {
        // sin^2(z) sin(4 z) = sin(4z)/2 - (sin(6z) + sin(2z))/4
        const double z = w * static_cast<double>(i) * correction.step_s;
        const double exact = 1e-4 * w * w * (-8.0 * std::sin(4.0 * z) + 9.0 * std::sin(6.0 * z) + std::sin(2.0 * z));
        CHECK(curvature[i] == Approx(exact).margin(1e-6));
    }
}

TEST_CASE("an empty correction changes nothing, one that does not fit is refused") {
    const solver::BaseMotion target = solver::sine_acceleration(6.0, 15.0);
    CHECK(corrected(target, {}).end_s() == target.end_s());
    Correction longer = bell(target.end_s() + 0.1);
    CHECK_THROWS_AS(corrected(target, longer), std::invalid_argument);
    Correction jumping = bell(target.end_s());
    jumping.displacement_m.back() = 1e-5;
    CHECK_THROWS_AS(corrected(target, jumping), std::invalid_argument);
    Correction broken = bell(target.end_s());
    broken.displacement_m[10] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(corrected(target, broken), std::invalid_argument);
}

TEST_CASE("a history comes back from its spectrum, a sine has one line") {
    constexpr std::size_t kLength = 256;
    std::vector<double> history(kLength);
    for (std::size_t i = 0; i < kLength; ++i)
        history[i] = 3.0 * std::cos(2.0 * std::numbers::pi * 10.0 * static_cast<double>(i) / kLength) + 0.5;
    const Spectrum spectrum = spectrum_of(history, kLength);
    CHECK(spectrum.size() == kLength / 2 + 1);
    CHECK(spectrum[0].real() == Approx(0.5 * kLength));
    CHECK(spectrum[10].real() == Approx(1.5 * kLength));
    CHECK(std::abs(spectrum[11]) < 1e-9);
    const auto back = history_of(spectrum, kLength);
    for (std::size_t i = 0; i < kLength; ++i) CHECK(back[i] == Approx(history[i]).margin(1e-12));
    CHECK(transform_length(1000) == 1024);
    CHECK(transform_length(1024) == 1024);
}
