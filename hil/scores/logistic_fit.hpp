// Overturning as a function of one number, by logistic regression: the simplest prediction there is to beat.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace topple::hil::scores {

struct LogisticFit {
    double intercept = 0.0, slope = 0.0;  ///< P = 1 / (1 + exp(-(intercept + slope x)))
    double at(double x) const noexcept;
    /// x at which P = 1/2; empty where the slope is 0.
    std::optional<double> half() const noexcept;
};

struct LogisticPoint {
    double x = 0.0;
    bool happened = false;
};

/// By penalised likelihood (Firth 1993), which has a finite maximum also where the two kinds lie apart. Empty if all x
/// are the same or the iteration does not end.
std::optional<LogisticFit> fit_logistic(std::span<const LogisticPoint> points);

}  // namespace topple::hil::scores
