// Are the standard errors of a calibration what they say?
#include <array>
#include <cmath>

#include "hil/fused_motion/calibration.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/two_channels.hpp"

using namespace topple;
using namespace topple::hil::fused_motion;

TEST_CASE("Over many seeds, gain, bias and shift scatter as much as their standard errors say") {
    constexpr int kSeeds = 120;
    std::mt19937_64 random(20);
    const auto between = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    std::array<int, 3> within_two{};
    std::array<double, 3> square{};
    for (int seed = 1; seed <= kSeeds; ++seed) {
        const tests::TwoChannels how{.displacement_rate_hz = between(80.0, 600.0),
                                     .acceleration_rate_hz = between(200.0, 1000.0),
                                     .signed_gain = (seed % 2 == 0 ? 1.0 : -1.0) * between(0.7, 1.4),
                                     .bias = between(-0.5, 0.5),
                                     .shift_s = between(-0.02, 0.02),
                                     .acceleration_noise_m_s2 = std::pow(10.0, between(-2.5, -0.5)),
                                     .displacement_noise_m = std::pow(10.0, between(-5.5, -3.5)),
                                     .seed = static_cast<std::uint64_t>(seed)};
        const Calibration c = calibrate(tests::measured_by(how));
        INFO("seed " << seed << ": " << describe(c) << "; truth " << how.signed_gain << ", " << how.bias << ", "
                     << how.shift_s);
        CHECK(c.sign == (how.signed_gain < 0.0 ? -1 : 1));
        const std::array<double, 3> off{(c.signed_gain() - how.signed_gain) / c.gain_error_m_s2_per_reading,
                                        (c.bias_reading - how.bias) / c.bias_error_reading,
                                        (c.shift_s - how.shift_s) / c.shift_error_s};
        for (std::size_t i = 0; i < off.size(); ++i) {
            CHECK(std::abs(off[i]) < 6.0);
            within_two[i] += std::abs(off[i]) < 2.0 ? 1 : 0;
            square[i] += off[i] * off[i] / kSeeds;
        }
    }
    for (std::size_t i = 0; i < square.size(); ++i) {
        INFO("parameter " << i << ": " << within_two[i] << " of " << kSeeds << " within two, rms "
                          << std::sqrt(square[i]));
        CHECK(within_two[i] >= 0.85 * kSeeds);
        CHECK(std::sqrt(square[i]) > 0.5);  // nor are they far too large
    }
}
