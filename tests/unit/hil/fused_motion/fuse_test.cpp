// One motion from a displacement and an acceleration.
#include "hil/fused_motion/fuse.hpp"

#include <algorithm>

#include "hil/signal/differences.hpp"
#include "hil/signal/statistics.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/two_channels.hpp"

using namespace topple;
using namespace topple::hil::fused_motion;
using tests::measured_by;
using tests::TwoChannels;

namespace {

FusedMotion fused(const TwoChannels& how) {
    const MeasuredMotion measured = measured_by(how);
    const Calibration c = calibrate(measured);
    return fuse(measured, c, common_grid(measured, c.shift_s));
}

template <typename Truth>
double rms_error(const FusedMotion& motion, const std::vector<double>& values, const Truth& truth) {
    double square = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) square += std::pow(values[i] - truth(motion.grid.time_s(i)), 2);
    return std::sqrt(square / static_cast<double>(values.size()));
}

}  // namespace

TEST_CASE("The fused motion is nearer to the truth than either channel") {
    const TwoChannels how{.signed_gain = -1.1, .bias = 0.3, .shift_s = 0.005};
    const FusedMotion motion = fused(how);
    const auto x = [](double t) { return 0.017 + tests::made_up_displacement_m(t); };
    CHECK(rms_error(motion, motion.displacement_m, x) < 0.3 * how.displacement_noise_m);
    CHECK(rms_error(motion, motion.acceleration_m_s2, tests::made_up_acceleration_m_s2) <
          1.1 * how.acceleration_noise_m_s2);
    CHECK(motion.residual_m == Approx(how.displacement_noise_m).epsilon(0.1));
}

TEST_CASE("The double integral of the fused acceleration is the fused displacement") {
    const FusedMotion motion = fused({.signed_gain = -1.1, .bias = 0.3});
    const double h = motion.grid.step_s;
    double x = motion.displacement_m.front(), v = motion.velocity_m_s.front(), worst = 0.0;
    for (std::size_t i = 1; i < motion.grid.count; ++i) {
        const double a0 = motion.acceleration_m_s2[i - 1], a1 = motion.acceleration_m_s2[i];
        x += h * v + h * h * (2.0 * a0 + a1) / 6.0;
        v += 0.5 * h * (a0 + a1);
        worst = std::max({worst, std::abs(x - motion.displacement_m[i]), 0.1 * std::abs(v - motion.velocity_m_s[i])});
    }
    CHECK(worst < 1e-6);  // a twentieth of the noise, after 12 s
}

TEST_CASE("The finer both sensors are, the smaller is the error of the fused motion") {
    double last_m = 1.0, last_m_s2 = 1.0;
    for (const double scale : {1.0, 0.1, 0.01}) {
        const FusedMotion motion =
            fused({.bias = 0.2, .acceleration_noise_m_s2 = 0.05 * scale, .displacement_noise_m = 50e-6 * scale});
        const auto x = [](double t) { return 0.017 + tests::made_up_displacement_m(t); };
        const double error_m = rms_error(motion, motion.displacement_m, x);
        const double error_m_s2 = rms_error(motion, motion.acceleration_m_s2, tests::made_up_acceleration_m_s2);
        INFO("scale " << scale << ": " << error_m << " m, " << error_m_s2 << " m/s2");
        CHECK(error_m < 0.2 * last_m);
        CHECK(error_m_s2 < 0.2 * last_m_s2);
        last_m = error_m, last_m_s2 = error_m_s2;
    }
}

TEST_CASE("A gap of the displacement is bridged by the acceleration") {
    MeasuredMotion measured = measured_by({.bias = 0.1});
    auto& d = measured.displacement;
    const Calibration c = calibrate(measured);
    const auto first = std::lower_bound(d.time_s.begin(), d.time_s.end(), 5.0) - d.time_s.begin();
    const auto last = std::lower_bound(d.time_s.begin(), d.time_s.end(), 5.2) - d.time_s.begin();
    d.time_s.erase(d.time_s.begin() + first, d.time_s.begin() + last);
    d.value.erase(d.value.begin() + first, d.value.begin() + last);
    const FusedMotion motion = fuse(measured, c, common_grid(measured, c.shift_s));
    for (double t = 5.0; t < 5.2; t += 0.01)
        CHECK(hil::signal::interpolate(motion.grid, motion.displacement_m, t) ==
              Approx(0.017 + tests::made_up_displacement_m(t)).margin(1e-4));
}

TEST_CASE("Variants differ from the fused motion by what is not known of gain, bias, shift and crossover") {
    const MeasuredMotion measured = measured_by({.signed_gain = -1.0, .bias = 0.3});
    const Calibration c = calibrate(measured);
    const hil::signal::EvenGrid grid = common_grid(measured, c.shift_s);
    const std::vector<Variant> all = variants(measured, c, grid);
    REQUIRE(all.size() == 9);
    const double at_s = 6.1;
    const auto value = [&](std::size_t i) { return hil::signal::interpolate(grid, all[i].acceleration_m_s2, at_s); };
    const double low = value(0), high = value(1);
    CHECK(std::string(all[8].name) == "as_given");
    CHECK(value(8) == Approx(0.3 - tests::made_up_acceleration_m_s2(at_s)).margin(0.1));
    CHECK(std::abs(high) > std::abs(low));
    for (std::size_t i = 4; i < 8; i += 2) CHECK(all[i].acceleration_m_s2 != all[i + 1].acceleration_m_s2);
    CHECK(std::string(all[7].name) == "crossover_double");
    CHECK(value(2) == Approx(value(3)).margin(1e-3));  // the displacement says where zero is
}
