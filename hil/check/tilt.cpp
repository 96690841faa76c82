#include "hil/check/tilt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "hil/signal/statistics.hpp"

namespace topple::hil::check {
namespace {
constexpr double kDeviations = 2.0;  // 95 %
}  // namespace

RestMean rest_mean(const std::vector<double>& samples_m_s2) {
    const std::size_t size = samples_m_s2.size() / kTiltBatches;
    std::vector<double> means;
    for (std::size_t i = 0; i < kTiltBatches && size > 0; ++i)
        means.push_back(signal::mean(std::span(samples_m_s2).subspan(i * size, size)));
    return {signal::mean(samples_m_s2),
            signal::standard_deviation(means) / std::sqrt(static_cast<double>(kTiltBatches)),
            signal::standard_deviation(samples_m_s2)};
}

// A sensor at rest shows what holds it up: gravity upwards, g, on its axis. Seat tilted by tau clockwise: its +x points
// below the horizontal by tau, so the sensor reads b - g sin(tau), and turned about the vertical b + g sin(tau).
Tilt tilt_of(const RestMean& along, const RestMean& against, double gravity_m_s2) {
    Tilt tilt;
    const double sine = (against.mean_m_s2 - along.mean_m_s2) / (2.0 * gravity_m_s2);
    const double error_m_s2 = 0.5 * std::hypot(along.error_m_s2, against.error_m_s2);
    tilt.tilt_rad = std::asin(std::clamp(sine, -1.0, 1.0));
    tilt.tilt_error_rad = error_m_s2 / gravity_m_s2 / std::max(std::cos(tilt.tilt_rad), 1e-3);
    tilt.bias_m_s2 = 0.5 * (along.mean_m_s2 + against.mean_m_s2);
    tilt.bias_error_m_s2 = error_m_s2;
    return tilt;
}

bool Tilt::distinguishable() const noexcept { return std::abs(tilt_rad) > kDeviations * tilt_error_rad; }
double Tilt::bound_rad() const noexcept { return std::abs(tilt_rad) + kDeviations * tilt_error_rad; }

std::string describe(const Tilt& tilt) {
    std::string text =
        fmt::format("accelerometer bias  {:+.5f} m/s2, standard error {:.5f}\n", tilt.bias_m_s2, tilt.bias_error_m_s2);
    if (!tilt.distinguishable())
        return text + fmt::format("tilt                not distinguishable from level: |tilt| < {:.6f} rad (95 %)\n",
                                  tilt.bound_rad());
    text += fmt::format("tilt                {:+.6f} rad, standard error {:.6f} ({} side down)\n", tilt.tilt_rad,
                        tilt.tilt_error_rad, tilt.tilt_rad > 0.0 ? "right" : "left");
    return text + fmt::format("initial_tilt_rad = {:.6f}\n", tilt.tilt_rad);
}

}  // namespace topple::hil::check
