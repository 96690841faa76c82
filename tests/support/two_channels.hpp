// A platen's motion in closed form and what a displacement gauge and an accelerometer would have said of it.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>

#include "hil/fused_motion/calibration.hpp"

namespace topple::tests {

/// Errors of both sensors.
struct TwoChannels {
    double duration_s = 12.0, displacement_rate_hz = 500.0, acceleration_rate_hz = 1000.0;
    double signed_gain = 1.0;  ///< m/s2 per unit of the reading
    double bias = 0.0;         ///< of the reading
    double shift_s = 0.0;      ///< the reading comes later
    double acceleration_noise_m_s2 = 0.02, displacement_noise_m = 20e-6, displacement_step_m = 0.0;
    std::uint64_t seed = 1;
};

/// Three sines under one smooth envelope from 3 to 9 s: x and its second derivative. Ends where it began.
inline double made_up_displacement_m(double t) {
    const double s = (t - 3.0) / 6.0;
    if (s <= 0.0 || s >= 1.0) return 0.0;
    const double envelope = std::pow(std::sin(std::numbers::pi * s), 4);
    return envelope * (0.012 * std::sin(2.0 * std::numbers::pi * 1.3 * t) +
                       0.004 * std::sin(2.0 * std::numbers::pi * 3.1 * t + 1.0) +
                       0.0008 * std::sin(2.0 * std::numbers::pi * 7.7 * t + 2.0));
}
inline double made_up_acceleration_m_s2(double t) {
    constexpr double h = 1e-4;  // the fourth-order difference is good to 1e-6 m/s2
    const auto x = made_up_displacement_m;
    return (-x(t - 2 * h) + 16 * x(t - h) - 30 * x(t) + 16 * x(t + h) - x(t + 2 * h)) / (12 * h * h);
}

inline hil::fused_motion::MeasuredMotion measured_by(
    const TwoChannels& how, const std::function<double(double)>& displacement_m = made_up_displacement_m,
    const std::function<double(double)>& acceleration_m_s2 = made_up_acceleration_m_s2) {
    std::mt19937_64 random(how.seed);
    std::normal_distribution<double> normal;
    hil::fused_motion::MeasuredMotion measured;
    const auto each = [&](double rate_hz, hil::signal::Samples& samples, const auto& value) {
        const auto count = static_cast<int>(how.duration_s * rate_hz);
        for (int i = 0; i <= count; ++i) {
            samples.time_s.push_back(i / rate_hz);
            samples.value.push_back(value(i / rate_hz));
        }
    };
    each(how.displacement_rate_hz, measured.displacement, [&](double t) {
        const double value = 0.017 + displacement_m(t) + how.displacement_noise_m * normal(random);
        return how.displacement_step_m > 0.0 ? how.displacement_step_m * std::round(value / how.displacement_step_m)
                                             : value;
    });
    each(how.acceleration_rate_hz, measured.acceleration, [&](double t) {
        return how.bias +
               (acceleration_m_s2(t - how.shift_s) + how.acceleration_noise_m_s2 * normal(random)) / how.signed_gain;
    });
    return measured;
}

}  // namespace topple::tests
