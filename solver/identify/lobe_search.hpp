// First guess of the excursions of a noisy rotation history: runs of samples on one side.
#pragma once

#include "solver/identify/measured_lobes.hpp"

namespace topple::solver {

/// Lobes in order whose rotations exceed `threshold_rad` on alternating sides of offset_rad; apexes from the
/// largest sample, times from the run's ends. Runs on the same side next to each other are one lobe.
std::vector<MeasuredLobe> search_lobes(const RockingShape& shape, const RotationHistory& history, double offset_rad,
                                       double threshold_rad);

/// Mean of the last samples if the block rests there; 0 if it still moves.
double resting_rotation_rad(const RotationHistory& history);

}  // namespace topple::solver
