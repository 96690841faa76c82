// Where inside a step a guard first turns negative.
#pragma once

#include <optional>

#include "solver/event/root_find.hpp"

namespace topple::solver {

/// First sigma up to about `until` (0..1, share of the step) at which `guard` has turned negative where `counts` holds,
/// looked for at ten places: a guard changes sign at most once between two.
template <class Guard, class Counts>
std::optional<double> first_crossing(Guard&& guard, Counts&& counts, double until) {
    constexpr double kSubSampleCount = 10.0;
    double left = 0.0, left_value = guard(0.0);
    for (double i = 1.0; i <= kSubSampleCount && left < until; i += 1.0) {
        const double right = i / kSubSampleCount, right_value = guard(right);
        if (right_value < 0.0 && counts(right))
            return left_value <= 0.0 ? left : find_root(guard, left, right, left_value, right_value, 0.0).after;
        left = right;
        left_value = right_value;
    }
    return std::nullopt;
}

}  // namespace topple::solver
