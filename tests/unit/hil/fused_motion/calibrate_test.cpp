// Bias, gain, sign and shift of an acceleration told by a displacement.
#include "hil/fused_motion/calibration.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/two_channels.hpp"

using namespace topple;
using namespace topple::hil::fused_motion;
using tests::measured_by;
using tests::TwoChannels;

namespace {

/// Two standard errors hold nineteen times out of twenty; these few fixed seeds must hold within four.
void check_close(double found, double error, double truth) {
    INFO("found " << found << " +- " << error << ", truth " << truth);
    CHECK(error > 0.0);
    CHECK(std::abs(found - truth) < 4.0 * error);
}

void check_found(const TwoChannels& how) {
    const Calibration c = calibrate(measured_by(how));
    INFO(describe(c));
    check_close(c.signed_gain(), c.gain_error_m_s2_per_reading, how.signed_gain);
    check_close(c.bias_reading, c.bias_error_reading, how.bias);
    check_close(c.shift_s, c.shift_error_s, how.shift_s);
}

}  // namespace

TEST_CASE("A sound acceleration is found to be sound") {
    const TwoChannels how;
    check_found(how);
    const Calibration c = calibrate(measured_by(how));
    CHECK(c.sign == 1);
    CHECK(c.gain_error_m_s2_per_reading < 0.005);
    CHECK(c.bias_error_reading < 0.01);
    CHECK(c.shift_error_s < 1e-3);
    CHECK(c.correlation > 0.99);
    CHECK(is_close_to_unity(c));
    CHECK(describe(c).find("agrees") != std::string::npos);
}

TEST_CASE("Sign, gain, bias and shift of the acceleration are found within their standard errors") {
    check_found({.signed_gain = -1.0});
    check_found({.signed_gain = 1.2, .bias = 0.3});
    check_found({.signed_gain = -0.8, .bias = -0.4, .shift_s = 0.012, .seed = 3});
    check_found({.shift_s = -0.02, .displacement_noise_m = 100e-6, .seed = 5});
}

TEST_CASE("A displacement by a slow camera and one faster than the acceleration serve as well") {
    check_found({.displacement_rate_hz = 60.0, .signed_gain = -1.1, .shift_s = 0.004});
    check_found({.displacement_rate_hz = 1000.0, .acceleration_rate_hz = 200.0, .bias = 0.1});
    check_found({.displacement_rate_hz = 317.0, .acceleration_rate_hz = 512.0, .bias = 0.1});
}

TEST_CASE("A motion at the beginning of a long recording is found as well") {
    check_found({.duration_s = 400.0, .acceleration_rate_hz = 500.0, .signed_gain = -1.05, .bias = 0.2});
}

TEST_CASE("The noise of both channels is told from their disagreement") {
    const Calibration c = calibrate(measured_by({.acceleration_noise_m_s2 = 0.05, .displacement_noise_m = 30e-6}));
    CHECK(c.acceleration_noise_m_s2_per_root_hz == Approx(0.05 * std::sqrt(2.0 / 1000.0)).epsilon(0.25));
    CHECK(c.displacement_noise_m_per_root_hz == Approx(30e-6 * std::sqrt(2.0 / 500.0)).epsilon(0.1));
}

TEST_CASE("The noise of the accelerometer does not make the gain look larger") {
    TwoChannels how{.acceleration_noise_m_s2 = 1.0};
    double sum = 0.0, error = 0.0;
    constexpr int kSeeds = 40;
    for (int seed = 1; seed <= kSeeds; ++seed) {
        how.seed = static_cast<std::uint64_t>(seed);
        const Calibration c = calibrate(measured_by(how));
        sum += c.gain / kSeeds, error += c.gain_error_m_s2_per_reading / kSeeds;
    }
    INFO("mean gain " << sum << ", one standard error of a single one " << error);
    CHECK(std::abs(sum - 1.0) < 3.0 * error / std::sqrt(static_cast<double>(kSeeds)));
}

TEST_CASE("Values in another unit than is stated are recognised and named") {
    const Calibration c = calibrate(measured_by({.signed_gain = 1.0 / 9.80665}));
    CHECK(c.unit_mixed_up == "m/s2 where g is stated");
    CHECK_FALSE(is_close_to_unity(c));
    CHECK_THROWS_WITH(calibrate(measured_by({.signed_gain = 0.3})),
                      Catch::Matchers::ContainsSubstring("0.3") && Catch::Matchers::ContainsSubstring("scale=0.3"));
    CHECK(calibrate(measured_by({.signed_gain = 0.3}), {.unit_is_known = false}).gain == Approx(0.3).epsilon(0.01));
}

TEST_CASE("Only a mix-up with the stated unit explains a gain, and a displacement in the wrong unit is suspected") {
    const MeasuredMotion in_mm = measured_by({.signed_gain = 1000.0});
    CHECK_THROWS_WITH(
        calibrate(in_mm, {.stated_unit = "m/s2"}),
        Catch::Matchers::ContainsSubstring("Perhaps the displacement is 1000 times too large (mm where m is stated)"));
    const Calibration c = calibrate(in_mm, {.stated_unit = "mm/s2"});
    CHECK(c.unit_mixed_up == "m/s2 where mm/s2 is stated");
    CHECK(c.displacement_suspected.find("1000 times") != std::string::npos);
    CHECK_THROWS(calibrate(measured_by({.signed_gain = 9.80665}), {.stated_unit = "g"}));
    CHECK(calibrate(measured_by({.signed_gain = 9.80665}), {.stated_unit = "m/s2"}).unit_mixed_up ==
          "g where m/s2 is stated");
}

TEST_CASE("A displacement that stands still and a shift that no clock has are refused with their own cause") {
    const auto still = [](double) { return 0.01; };
    const auto shaken = [](double t) { return std::sin(12.0 * t); };
    CHECK_THROWS_WITH(calibrate(measured_by({.displacement_noise_m = 0.0}, still, shaken)),
                      Catch::Matchers::ContainsSubstring("the displacement is constant"));
    CHECK_THROWS_WITH(calibrate(measured_by({}), {.shift_max_s = 1e-300}),
                      Catch::Matchers::ContainsSubstring("at least 1e-05 s"));
}

TEST_CASE("What cannot be told is refused with its numbers") {
    CHECK_THROWS_WITH(calibrate(measured_by({.acceleration_noise_m_s2 = 200.0})),
                      Catch::Matchers::ContainsSubstring("at no frequency"));
    CHECK_THROWS_WITH(calibrate(measured_by({.displacement_noise_m = 0.0, .displacement_step_m = 2e-3})),
                      Catch::Matchers::ContainsSubstring("too coarse") && Catch::Matchers::ContainsSubstring("2 mm"));
    CHECK_THROWS_WITH(calibrate(measured_by({.displacement_rate_hz = 6.0})),
                      Catch::Matchers::ContainsSubstring("too coarse"));
    CHECK_THROWS_WITH(calibrate(measured_by({.shift_s = 0.08})), Catch::Matchers::ContainsSubstring("time shift"));
    CHECK_THROWS_WITH(calibrate(measured_by({.duration_s = 0.05})), Catch::Matchers::ContainsSubstring("at least 64"));
}

TEST_CASE("A steady sine whose half period is within the searched shift has no sign") {
    constexpr double kOmega = 2.0 * std::numbers::pi * 12.0;
    const auto x = [](double t) { return 0.002 * std::sin(kOmega * t); };
    const auto a = [](double t) { return -0.002 * kOmega * kOmega * std::sin(kOmega * t); };
    const MeasuredMotion measured = measured_by({.signed_gain = -1.0}, x, a);
    CHECK_THROWS_WITH(calibrate(measured), Catch::Matchers::ContainsSubstring("cannot be told"));
    CHECK(calibrate(measured, {.shift_max_s = 0.01}).sign == -1);
}
