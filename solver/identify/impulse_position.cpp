#include "solver/identify/impulse_position.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace topple::solver {
namespace {

double three_sine_squared(double slenderness_rad) {
    const double sine = std::sin(slenderness_rad);
    return 3.0 * sine * sine;
}

}  // namespace

double improved_ratio(double slenderness_rad, double impulse_position_k) noexcept {
    const double s = three_sine_squared(slenderness_rad), k2 = impulse_position_k * impulse_position_k;
    return (4.0 - s * (1.0 + k2)) / (4.0 - s * (1.0 - k2));
}

double edge_contact_k(double block_width_m, double strip_width_m) {
    if (!(strip_width_m >= 0.0 && strip_width_m < 0.5 * block_width_m))
        throw std::invalid_argument("edge strip width = " + std::to_string(strip_width_m) +
                                    " m: allowed: 0 up to half the block's width");
    return 1.0 - 2.0 * strip_width_m / block_width_m;
}

Estimate material_factor(double slenderness_rad, const Estimate& measured_ratio, double impulse_position_k) {
    const double rigid = improved_ratio(slenderness_rad, impulse_position_k);
    if (!(rigid > 0.0))
        throw std::invalid_argument("material factor: the block is so bulky that its rigid-body ratio is " +
                                    std::to_string(rigid) + ", not above 0");
    return {measured_ratio.value / rigid, measured_ratio.standard_error / rigid};
}

Estimate impulse_position(double slenderness_rad, const Estimate& measured_ratio, const Estimate& material) noexcept {
    const double rigid = measured_ratio.value / material.value;
    const double s = three_sine_squared(slenderness_rad), factor = (4.0 - s) / s;
    const double k = std::sqrt((1.0 - rigid) * factor / (1.0 + rigid));  // NaN if rigid > 1
    const double rigid_error = rigid * std::hypot(measured_ratio.standard_error / measured_ratio.value,
                                                  material.standard_error / material.value);
    // d(k^2)/d(rigid) = -2 factor/(1 + rigid)^2. Near k = 0 the linear error has no meaning; it is cut at the
    // k that one standard error of the ratio alone would make.
    const double slope = factor / ((1.0 + rigid) * (1.0 + rigid));
    const double error = std::fmin(rigid_error * slope / k, std::sqrt(2.0 * rigid_error * slope));
    return {k, std::isnan(k) ? std::numeric_limits<double>::quiet_NaN() : error};
}

}  // namespace topple::solver
