#include "hil/identification/frequency_response.hpp"

#include <cmath>
#include <numbers>

#include "hil/identification/friction.hpp"
#include "hil/identification/line_spectra.hpp"
#include "hil/identification/platen_response.hpp"
#include "hil/sim_table/noise.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple;
using namespace topple::hil::identification;
using Complex = std::complex<double>;

namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

/// Records of one line with unit input of random phase, output `response` times it and noise on the output.
struct NoisyLine {
    std::vector<Spectrum> inputs, outputs;

    NoisyLine(Complex response, double noise, int records, hil::sim_table::Noise& draw) {
        for (int i = 0; i < records; ++i) {
            const Complex input = std::polar(1.0, kTwoPi * draw.uniform());
            inputs.push_back({input});
            outputs.push_back({response * input + noise * Complex(draw.normal(), draw.normal())});
        }
    }
    std::vector<LineResponse> lines() const {
        const double frequency_hz[] = {10.0};
        return frequency_response(frequency_hz, inputs, outputs);
    }
};

}  // namespace

TEST_CASE("The spectrum at the lines is exact over whole periods, whatever the mean") {
    std::vector<double> time_s, x;
    for (int i = 0; i < 1000; ++i) {
        time_s.push_back(0.713 + 0.002 * i);
        x.push_back(5.0 + 0.3 * std::cos(kTwoPi * 7.0 * time_s.back() + 0.4) +
                    0.1 * std::sin(kTwoPi * 12.0 * time_s.back()));
    }
    const double lines_hz[] = {7.0, 9.0, 12.0};
    const auto spectrum = line_spectrum(time_s, x, lines_hz);
    CHECK(std::abs(spectrum[0] - std::polar(0.3, 0.4)) < 1e-12);
    CHECK(std::abs(spectrum[1]) < 1e-12);
    CHECK(std::abs(spectrum[2] - Complex(0.0, -0.1)) < 1e-12);
}

TEST_CASE("Response, coherence and standard error are those of the noise that was added") {
    const tests::RandomRuns random(5, 2000);
    const Complex truth = std::polar(0.8, -1.1);
    const double noise = 0.1;  // of each part
    int within_1 = 0, within_2 = 0, count = 0;
    double coherence = 0.0;
    hil::sim_table::Noise draw(random.seed(), 20);
    for (int run = 0; run < random.count(); ++run) {
        const auto lines = NoisyLine(truth, noise, 12, draw).lines();
        if (lines.size() != 1) continue;
        const double error = lines[0].error_ratio * std::abs(lines[0].response);
        for (const double off : {(lines[0].response - truth).real(), (lines[0].response - truth).imag()}) {
            within_1 += std::abs(off) < error;
            within_2 += std::abs(off) < 2.0 * error;
            ++count;
        }
        coherence += lines[0].coherence;
    }
    REQUIRE(count == 2 * random.count());  // no line of this coherence is left out
    // Student's t with 22 degrees of freedom: 67.2 % and 94.2 %.
    CHECK(within_1 / static_cast<double>(count) == Approx(0.672).margin(0.03));
    CHECK(within_2 / static_cast<double>(count) == Approx(0.942).margin(0.015));
    // |H|^2 / (|H|^2 + 2 noise^2), and a twelfth of the rest by chance.
    const double expected = 0.64 / (0.64 + 2.0 * noise * noise);
    CHECK(coherence / random.count() == Approx(expected + (1.0 - expected) / 12.0).margin(0.003));
}

TEST_CASE("Lines that are mostly noise are left out, and few records say nothing") {
    hil::sim_table::Noise draw(1, 21);
    CHECK(NoisyLine(0.8, 2.0, 12, draw).lines().empty());
    CHECK(NoisyLine(0.8, 0.0, 2, draw).lines().empty());
    CHECK(NoisyLine(0.8, 0.0, 3, draw).lines().size() == 1);
}

TEST_CASE("The bandwidth lies where the magnitude falls below -3 dB, and is not told where it does not") {
    std::vector<LineResponse> lines;
    for (const double f : {10.0, 20.0, 30.0, 40.0}) lines.push_back({f, 1.0 - f / 100.0, 1.0, 0.0});
    CHECK(bandwidth_hz(lines) == Approx(100.0 * (1.0 - 1.0 / std::numbers::sqrt2)));
    lines.resize(2);
    CHECK(bandwidth_hz(lines) == 0.0);
}

TEST_CASE("Friction is Coulomb, viscous and an offset, one speed or one direction is not enough") {
    std::vector<StrokeForce> strokes;
    for (const double v : {0.02, 0.05, 0.15})
        for (const double sign : {1.0, -1.0}) strokes.push_back({sign * v, 3.0 + sign * (22.0 + 40.0 * v)});
    const auto friction = friction_of(strokes);
    REQUIRE(friction);
    CHECK(friction->coulomb_n.value == Approx(22.0));
    CHECK(friction->viscous_n_s_m.value == Approx(40.0));
    CHECK(friction->offset_n.value == Approx(3.0));
    CHECK(friction->residual_n < 1e-9);
    for (StrokeForce& stroke : strokes) stroke.velocity_m_s = std::copysign(0.05, stroke.velocity_m_s);
    CHECK_FALSE(friction_of(strokes));
    for (StrokeForce& stroke : strokes) stroke.velocity_m_s = std::abs(stroke.force_n);
    CHECK_FALSE(friction_of(strokes));
}

TEST_CASE("The accelerometer's delay and gain are found under a resonance, and the resonance is named") {
    std::vector<LineResponse> lines;
    for (double f = 4.0; f <= 150.0; f += 2.0) {
        const Complex s(0.0, kTwoPi * f);
        const double wr = kTwoPi * 70.0;
        const Complex platen = (wr * wr + 0.06 * wr * s) / (s * s + 0.06 * wr * s + wr * wr);
        lines.push_back({f, 1.02 * platen * std::polar(1.0, -kTwoPi * f * 2.1e-3), 1.0, 1e-3});
    }
    const auto found = platen_response(lines);
    REQUIRE(found);
    CHECK(found->gain.value == Approx(1.02).epsilon(0.005));
    CHECK(found->delay_s.value == Approx(2.1e-3).margin(2e-5));
    REQUIRE(found->resonance_hz);
    CHECK(*found->resonance_hz == 70.0);
    const auto rigid = platen_response(std::span(lines).first(10));  // up to 22 Hz: grows, but shows no peak
    REQUIRE(rigid);
    CHECK_FALSE(rigid->resonance_hz);
}
