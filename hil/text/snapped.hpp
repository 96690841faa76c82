// Numbers without the noise of rounding.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace topple::hil::text {

/// The value, but 0 (never -0) where it is below 1e-12 of `size`: what is left of a difference of equal numbers.
inline double snapped(double value, double size) noexcept {
    return std::abs(value) <= 1e-12 * std::abs(size) ? 0.0 : value;
}

/// Each value against the same size.
template <std::size_t Count>
std::array<double, Count> snapped(std::array<double, Count> values, double size) noexcept {
    for (double& value : values) value = snapped(value, size);
    return values;
}
template <std::size_t Count>
std::vector<std::array<double, Count>> snapped(std::vector<std::array<double, Count>> points, double size) {
    for (std::array<double, Count>& point : points) point = snapped(point, size);
    return points;
}

}  // namespace topple::hil::text
