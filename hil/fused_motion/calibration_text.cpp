#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/fused_motion/calibration.hpp"

namespace topple::hil::fused_motion {
namespace {

/// "1.0392 ± 0.0024": two digits of the error, and the value as far.
std::string with_error(double value, double error, const char* sign = "") {
    constexpr int kDigitsMost = 9;
    const int decimals =
        error > 0.0 ? std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, kDigitsMost) : kDigitsMost;
    return fmt::format("{}{:.{}f} ± {:.{}f}", value < 0.0 ? "-" : sign, std::abs(value), decimals, error, decimals);
}

}  // namespace

bool is_close_to_unity(const Calibration& c) {
    constexpr double kClose_ratio = 0.02, kSmallBias_m_s2 = 0.05;
    return c.sign > 0 && std::abs(c.gain - 1.0) <= std::max(kClose_ratio, 2.0 * c.gain_error_m_s2_per_reading) &&
           std::abs(c.gain * c.bias_reading) <= std::max(kSmallBias_m_s2, 2.0 * c.gain * c.bias_error_reading);
}

std::string describe(const Calibration& c) {
    const std::string verdict = c.sign < 0                 ? "the acceleration is REVERSED: "
                                : !c.unit_mixed_up.empty() ? "the acceleration has another UNIT: "
                                : is_close_to_unity(c)     ? "the acceleration agrees with the displacement: "
                                                           : "the acceleration is corrected by the displacement: ";
    return fmt::format(
        "{}sign {:+d}, gain {}{}, bias {} m/s2 (gain times the zero of the reading as stated, {:+.4g}), {} ms {}; "
        "correlation {:.3f} from {:.2g} to {:.2g} Hz; displacement "
        "below, acceleration above {:.2g} Hz",
        verdict, c.sign, with_error(c.gain, c.gain_error_m_s2_per_reading),
        c.unit_mixed_up.empty()
            ? ""
            : fmt::format(" (the values are {}{})", c.unit_mixed_up,
                          c.displacement_suspected.empty() ? "" : "; or else " + c.displacement_suspected),
        with_error(c.gain * c.bias_reading, c.gain * c.bias_error_reading, "+"), c.bias_reading,
        with_error(1e3 * std::abs(c.shift_s), 1e3 * c.shift_error_s), c.shift_s < 0.0 ? "early" : "late", c.correlation,
        c.band_low_hz, c.band_high_hz, c.crossover_hz);
}

}  // namespace topple::hil::fused_motion
