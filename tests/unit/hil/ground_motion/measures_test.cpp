// Measures against closed forms, and corrections that do what they say.
#include <cmath>
#include <numbers>

#include "hil/ground_motion/correction.hpp"
#include "hil/ground_motion/measures.hpp"
#include "tests/support/catch.hpp"

using namespace topple::hil;
using ground_motion::Correction;
using ground_motion::Detrend;
using ground_motion::Measures;

namespace {
constexpr double kPi = std::numbers::pi;
}

TEST_CASE("Peaks between the samples are found exactly") {
    // a = 1 - t/2 for 4 s: v = t - t^2/4, largest at 2 s; x = t^2/2 - t^3/12, largest at the end, where v = 0.
    const Measures measures = ground_motion::measures_of(std::vector{1.0, 0.25, -0.5, -1.25}, 1.5);
    CHECK(measures.pga_m_s2 == -1.25);
    CHECK(measures.pga_time_s == 4.5);
    CHECK(measures.pgv_m_s == Approx(1.0).epsilon(1e-14));              // at 2 s, between samples
    CHECK(measures.pgd_m == Approx(8.0 - 64.0 / 12.0).epsilon(1e-14));  // at 4 s, between samples
    CHECK(measures.end_velocity_m_s == Approx(4.5 - 4.5 * 4.5 / 4.0));
}

TEST_CASE("Arias intensity and significant duration of a constant") {
    const std::vector<double> constant(101, 2.0);
    const Measures measures = ground_motion::measures_of(constant, 0.1);
    CHECK(measures.arias_m_s == Approx(kPi / (2.0 * 9.80665) * 4.0 * 10.0).epsilon(1e-13));
    CHECK(measures.start_5_s == Approx(0.5));
    CHECK(measures.duration_5_95_s == Approx(9.0));
    CHECK(ground_motion::measures_of(std::vector(10, 0.0), 0.1).arias_m_s == 0.0);
    CHECK(ground_motion::measures_of(std::vector{1.0}, 0.1).pga_m_s2 == 0.0);
}

TEST_CASE("The spectrum has 100 periods from 0.05 to 10 s, and a constant's is known in closed form") {
    const std::vector<double> constant(4001, 3.0);
    const auto spectrum = ground_motion::spectrum_of(constant, 0.01);
    REQUIRE(spectrum.period_s.size() == 100);
    CHECK(spectrum.period_s.front() == Approx(0.05));
    CHECK(spectrum.period_s.back() == Approx(10.0));
    const double overshoot = std::exp(-kPi * 0.05 / std::sqrt(1.0 - 0.0025));
    for (const double value : spectrum.pseudo_acceleration_m_s2)
        CHECK(std::abs(value / (3.0 * (1.0 + overshoot)) - 1.0) < 1e-9);
}

TEST_CASE("Each correction does what it says, in the order of its members") {
    std::vector<double> samples;
    for (int i = 0; i <= 1000; ++i) samples.push_back(0.3 + 0.002 * i + (i >= 200 ? std::sin(0.1 * i) : 0.0));
    const auto corrected = [&](const Correction& correction) {
        return ground_motion::correct(samples, 0.01, correction);
    };
    CHECK(corrected({}).samples == samples);
    CHECK(corrected({}).steps.empty());
    double before = 0.0;
    const auto quiet = corrected({.pre_event_s = 1.0, .high_pass = {}});
    for (int i = 0; i < 100; ++i) before += quiet.samples[static_cast<std::size_t>(i)];
    CHECK(std::abs(before) < 1e-10);
    const std::vector<double> line{1.0, 2.0, 3.0, 4.0};
    for (const double value :
         ground_motion::correct(line, 0.5, {.pre_event_s = {}, .detrend = Detrend::linear, .high_pass = {}}).samples)
        CHECK(std::abs(value) < 1e-12);
    const auto mean = ground_motion::correct(line, 0.5, {.pre_event_s = {}, .detrend = Detrend::mean, .high_pass = {}});
    CHECK(mean.samples.front() == -1.5);
    CHECK(mean.steps.front().find("2.5 m/s2") != std::string::npos);
    const std::vector<double> ones(11, 1.0);
    const auto tapered = ground_motion::correct(
        ones, 0.1, {.pre_event_s = {}, .taper_start_s = 0.4, .taper_end_s = 0.2, .high_pass = {}});
    CHECK(tapered.samples[0] == 0.0);
    CHECK(tapered.samples[2] == Approx(0.5));
    CHECK(tapered.samples[5] == 1.0);
    CHECK(tapered.samples[9] == Approx(0.5));
    CHECK(tapered.samples[10] == 0.0);
}

TEST_CASE("A high-pass of any order leaves half at its corner, and zero padding ends at rest") {
    const double step_s = 0.01, corner_hz = 0.5;
    for (const int order : {1, 2, 3, 4, 5, 8}) {
        std::vector<double> wave;
        for (int i = 0; i < 20000; ++i) wave.push_back(std::sin(2.0 * kPi * corner_hz * step_s * i));
        const auto filtered =
            signal::zero_phase_high_pass(wave, step_s, {corner_hz, order, signal::Padding::mirror}).samples;
        for (int i = 9000; i < 11000; i += 37)
            CHECK(filtered[static_cast<std::size_t>(i)] ==
                  Approx(0.5 * wave[static_cast<std::size_t>(i)]).margin(1e-3));
    }
    std::vector<double> pulse(300, 0.0);
    for (int i = 50; i < 150; ++i) pulse[static_cast<std::size_t>(i)] = 1.0;
    const auto kept = ground_motion::correct(
        pulse, step_s, {.pre_event_s = {}, .high_pass = signal::HighPass{corner_hz, 2, signal::Padding::zeros}});
    CHECK(kept.samples.size() == 300 + 2 * 1200);  // 1.5 * 4 / 0.5 Hz = 12 s at either end
    CHECK(kept.steps.front().find("12 s of zeros at either end") != std::string::npos);
    const Measures raw = ground_motion::measures_of(pulse, step_s),
                   after = ground_motion::measures_of(kept.samples, step_s);
    CHECK(raw.end_velocity_m_s == Approx(1.0));
    CHECK(std::abs(after.end_velocity_m_s) < 1e-4);
    CHECK(std::abs(after.end_displacement_m) < 1e-3);
}
