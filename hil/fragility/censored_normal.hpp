// A normal distribution of values of which some are known only by a bound: arithmetic.
#pragma once

#include <optional>
#include <vector>

namespace topple::hil::fragility {

struct CensoredValue {
    enum class Known { exactly, is_above, is_below };
    double value = 0.0;
    Known known = Known::exactly;
};

struct Normal {
    double mean = 0.0, deviation = 0.0;
};

/// By maximum likelihood; the variance times n / (n - 1) of the n exact values, as where all are exact. Nothing with
/// fewer than two exact values, or if no maximum is found.
std::optional<Normal> fit_censored_normal(const std::vector<CensoredValue>& values);

}  // namespace topple::hil::fragility
