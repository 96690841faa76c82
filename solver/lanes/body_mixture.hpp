// A body between others: their numbers, weighted.
#pragma once

#include <span>

#include "solver/lanes/rocking_lanes.hpp"

namespace topple::solver {

struct WeightedBody {
    const LaneBody* body;
    double weight;
};

/// Slendernesses, stiffness and restitution ratios and the slope of the seat, each the weighted sum of those given. The
/// weights add up to 1, and may be negative; restitution ratios are held within 0..1.
LaneBody mixture(std::span<const WeightedBody> of) noexcept;

}  // namespace topple::solver
