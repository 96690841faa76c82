// Where inside a step a guard first turns negative.
#pragma once

#include <optional>

#include "solver/numerics/guard_path.hpp"

namespace topple::solver {

/// First sigma up to `until` (0..1, share of the step) at which `guard` turns negative. Where it does not start above
/// zero, `counts(sigma)` says whether being below is a crossing.
template <class Guard, class Counts>
std::optional<double> first_crossing(Guard&& guard, Counts&& counts, double until) {
    GuardValues values;
    for (std::size_t i = 0; i < kGuardNodeCount; ++i) values[i] = guard(kGuardNode[i]);
    const auto sigma = first_fall(values, guard, counts);
    return sigma && *sigma <= until ? sigma : std::nullopt;
}

}  // namespace topple::solver
