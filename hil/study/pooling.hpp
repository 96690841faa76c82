// Several measurements of one number, each with an error of its own, as one: the random-effects mean.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/identify/impulse_position.hpp"

namespace topple::hil::study {

/// Of values y_i with standard errors s_i that scatter about a mean by tau beside those errors.
struct Pooled {
    std::size_t count = 0;
    double mean = 0.0;        ///< unweighted
    double scatter = 0.0;     ///< standard deviation of the values; 0 for one
    solver::Estimate common;  ///< weights 1/s^2: right only if there is no scatter beside the errors
    double q = 0.0;           ///< sum of ((y - common)/s)^2; count - 1 is expected without scatter
    double tau = 0.0;         ///< standard deviation between the records (DerSimonian & Laird 1986)
    solver::Estimate
        random;         ///< weights 1/(s^2 + tau^2), error by Hartung & Knapp (2001), at least 1/sqrt(sum of weights)
    double t_95 = 0.0;  ///< half a 95 % interval of `random` per standard error: Student, count - 1 degrees
    double next_error = 0.0;  ///< standard error of what a further record would show: tau and that of the mean

    double reach_95() const noexcept { return t_95 * random.standard_error; }
};

/// One value: its own error, t_95 of the normal distribution. Throws std::invalid_argument without values and for an
/// error that is negative or not finite; errors below 1e-9 count as that.
Pooled pool(const std::vector<solver::Estimate>& values);

}  // namespace topple::hil::study
