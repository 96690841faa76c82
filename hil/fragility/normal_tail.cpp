#include "hil/fragility/normal_tail.hpp"

#include <cmath>
#include <numbers>

namespace topple::hil::fragility {

double phi(double z) noexcept { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double hazard_below(double z) noexcept {
    constexpr double kFar = -30.0;
    if (z < kFar) return -z;  // asymptotically
    return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi) / phi(z);
}

double log_phi(double z) noexcept {
    constexpr double kFar = -30.0;
    return z < kFar ? -0.5 * z * z - std::log(-z * std::sqrt(2 * std::numbers::pi)) : std::log(phi(z));
}

}  // namespace topple::hil::fragility
