#include "hil/identification/loop_margins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace topple::hil::identification {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;
using Complex = std::complex<double>;

double wrapped(double angle_rad) { return std::remainder(angle_rad, kTwoPi); }

}  // namespace

Complex DriveModel::response(double angular_frequency_rad_s) const {
    return gain * std::polar(1.0, -angular_frequency_rad_s * delay_s) / Complex(1.0, angular_frequency_rad_s * lag_s);
}

LoopMargins loop_margins(const firmware_iface::ServoParameters& servo, const DriveModel& drive,
                         const TableModel& table) {
    constexpr double kLow_hz = 0.3, kRatio = 1.01;
    const ServoResponse response(servo);
    std::vector<Complex> loop;
    std::vector<double> frequency_hz;
    for (double f = kLow_hz; f < 0.25 / servo.sample_s; f *= kRatio) {
        const double w = kTwoPi * f;
        frequency_hz.push_back(f);
        loop.push_back(response.position_n_m(w) * drive.response(w) / table.dynamic_stiffness_n_m(w, servo.payload_kg));
    }
    LoopMargins margins;
    double phase_rad = std::numbers::pi, gain = std::numeric_limits<double>::infinity(), distance = gain;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        distance = std::min(distance, std::abs(1.0 + loop[i]));
        if (i == 0) continue;
        const double before = std::abs(loop[i - 1]), now = std::abs(loop[i]);
        if ((before > 1.0) != (now > 1.0)) {
            phase_rad = std::min(phase_rad, std::abs(wrapped(std::arg(loop[i]) - std::numbers::pi)));
            margins.crossover_hz = frequency_hz[i];
        }
        // Through the negative real axis.
        if (loop[i].real() < 0.0 && (loop[i - 1].imag() > 0.0) != (loop[i].imag() > 0.0))
            gain = std::min(gain, now < 1.0 ? 1.0 / now : now);
    }
    // From the highest frequency, where the loop is open, down: two or three integrators turn 1 + L by -180 to -270
    // degrees. Every pair of unstable poles turns it by 360 degrees more or less.
    double turned_rad = std::arg(1.0 + loop.back());
    for (std::size_t i = loop.size(); i-- > 1;) turned_rad += wrapped(std::arg((1.0 + loop[i - 1]) / (1.0 + loop[i])));
    margins.stable = turned_rad > -kTwoPi && turned_rad < 0.0;
    margins.phase_margin_deg = 360.0 / kTwoPi * phase_rad;
    margins.gain_margin = gain;
    margins.distance = distance;
    return margins;
}

}  // namespace topple::hil::identification
