#include "hil/signal/zero_phase.hpp"

#include <cmath>

#include "hil/signal/statistics.hpp"
#include "tests/support/catch.hpp"

using namespace topple::hil::signal;

namespace {

constexpr double kStep_s = 0.002;

std::vector<double> wave(double frequency_hz) {
    std::vector<double> samples;
    for (int i = 0; i < 2000; ++i) samples.push_back(std::sin(2.0 * M_PI * frequency_hz * kStep_s * i));
    return samples;
}

/// Amplitude of a sine in the middle half, away from the ends.
double amplitude(const std::vector<double>& samples) {
    const std::vector<double> middle(samples.begin() + 500, samples.begin() + 1500);
    return root_mean_square(middle) * std::sqrt(2.0);
}

}  // namespace

TEST_CASE("The zero-phase low-pass keeps constants and ramps and has its -3 dB at the stated frequency") {
    std::vector<double> ramp;
    for (int i = 0; i < 2000; ++i) ramp.push_back(3.0 + 0.01 * i);
    const std::vector<double> filtered_ramp = zero_phase_low_pass(ramp, 500.0, 60.0);
    for (std::size_t i = 0; i < ramp.size(); ++i) REQUIRE(filtered_ramp[i] == Approx(ramp[i]).margin(1e-6));
    CHECK(amplitude(zero_phase_low_pass(wave(60.0), 500.0, 60.0)) == Approx(1.0 / std::sqrt(2.0)).epsilon(0.01));
}

TEST_CASE("The zero-phase high-pass takes constants away and has its -6 dB at the stated frequency") {
    const std::vector<double> constant(2000, 3.0);
    CHECK(largest_magnitude(zero_phase_high_pass(constant, kStep_s, 5.0)) < 1e-12);
    CHECK(amplitude(zero_phase_high_pass(wave(5.0), kStep_s, 5.0)) == Approx(0.5).epsilon(0.01));
    CHECK(amplitude(zero_phase_high_pass(wave(50.0), kStep_s, 5.0)) == Approx(1.0).epsilon(0.01));
}

TEST_CASE("The median is the middle one, the upper of two") {
    CHECK(median({3.0, 1.0, 2.0}) == 2.0);
    CHECK(median({4.0, 1.0, 3.0, 2.0}) == 3.0);
}
