// Numbers as people read them.
#pragma once

#include <cmath>

namespace topple::hil::text {

/// The value, but 0 where so many decimals would print it as "-0.0".
inline double rounded(double value, int decimals) {
    return std::abs(value) * std::pow(10.0, decimals) <= 0.5 ? 0.0 : value;
}

}  // namespace topple::hil::text
