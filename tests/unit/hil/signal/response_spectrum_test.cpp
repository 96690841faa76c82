#include <cmath>
#include <numbers>
#include <vector>

#include "hil/signal/response_spectrum.hpp"
#include "tests/support/catch.hpp"

using namespace topple::hil::signal;

namespace {
constexpr double kPi = std::numbers::pi;

std::vector<double> samples(double step_s, double end_s, double (*at)(double)) {
    std::vector<double> values;
    for (double t = 0.0; t <= end_s + 1e-9; t += step_s) values.push_back(at(t));
    return values;
}
}  // namespace

TEST_CASE("A suddenly applied constant acceleration doubles the static deflection of an undamped oscillator") {
    const std::vector<double> step(2001, 3.0);
    const std::vector<double> frequency_hz{0.5, 2.0, 20.0};
    for (const double value : response_spectrum(step, 0.002, frequency_hz, 0.0))
        CHECK(value == Approx(6.0).epsilon(2e-3));
    // With damping the overshoot is exp(-pi zeta / sqrt(1 - zeta^2)).
    const double overshoot = std::exp(-kPi * 0.05 / std::sqrt(1.0 - 0.0025));
    for (const double value : response_spectrum(step, 0.002, frequency_hz, 0.05))
        CHECK(value == Approx(3.0 * (1.0 + overshoot)).epsilon(2e-3));
}

TEST_CASE("In resonance a damped oscillator reaches 1 / (2 zeta) of the static deflection") {
    const auto wave = samples(0.002, 30.0, [](double t) { return std::sin(2.0 * kPi * 2.0 * t); });
    const std::vector<double> frequency_hz{2.0};
    CHECK(response_spectrum(wave, 0.002, frequency_hz, 0.05).front() == Approx(10.0).epsilon(2e-3));
}

TEST_CASE("Stiff oscillators feel the peak acceleration, soft ones the displacement of the ground") {
    const auto wave = samples(0.002, 2.0, [](double t) { return t < 0.5 ? std::sin(2.0 * kPi * 2.0 * t) : 0.0; });
    const std::vector<double> stiff{200.0}, soft{0.01};
    CHECK(response_spectrum(wave, 0.002, stiff, 0.05).front() == Approx(1.0).epsilon(0.02));
    const double w = 2.0 * kPi * 0.01;  // one sine of acceleration moves the ground by 2 pi / (4 pi)^2
    CHECK(response_spectrum(wave, 0.002, soft, 0.0).front() / (w * w) > 2.0 * kPi / std::pow(4.0 * kPi, 2) * 0.999);
}

TEST_CASE("A short pulse is answered after its end: the free vibration counts") {
    std::vector<double> pulse(6, 1.0);  // 10 ms
    pulse.back() = 0.0;
    const std::vector<double> frequency_hz{1.0};
    const double w = 2.0 * kPi, area = 0.002 * 4.5;  // x = area / w sin(w t)
    CHECK(response_spectrum(pulse, 0.002, frequency_hz, 0.0).front() == Approx(w * area).epsilon(2e-3));
}

TEST_CASE("Equal ratios include both ends") {
    const auto f = frequencies_in_equal_ratios(0.3, 20.0, 5);
    CHECK(f.front() == Approx(0.3));
    CHECK(f.back() == Approx(20.0));
    CHECK(f[1] / f[0] == Approx(f[4] / f[3]));
}
