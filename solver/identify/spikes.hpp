// Single samples that a sensor got wrong: a lost marker, a dropped bit.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/identify/measured_lobes.hpp"

namespace topple::solver {

/// Indices of the samples that stand away from the median of their four neighbours by more than the body can turn in
/// that time at `rate_max_rad_s`, 8 times the robust deviation of the record and two steps of the sensor (`step_rad`).
/// Of a rocking record the rate is at most p alpha; of the residuals of a fit it is 0. All numbers must be finite.
std::vector<std::size_t> find_spikes(const RotationHistory& history, double rate_max_rad_s, double step_rad);

/// The record without these samples; indices increase.
RotationHistory without(const RotationHistory& history, const std::vector<std::size_t>& indices);

}  // namespace topple::solver
