#include "hil/scores/scored_test.hpp"

#include <numeric>

namespace topple::hil::scores {

Observation observed(solver::Outcome outcome) noexcept { return {solver::is_overturning(outcome), outcome}; }

Observation observed_fall(bool overturned) noexcept { return {overturned, std::nullopt}; }

std::optional<double> overturning_probability(const Probabilities& probability) noexcept {
    const double all = std::accumulate(probability.begin(), probability.end(), 0.0);
    if (!(all > 0.0)) return std::nullopt;
    double overturning = 0.0;
    for (std::size_t code = 0; code < kOutcomes; ++code)
        if (solver::is_overturning(solver::outcome_of_code(static_cast<unsigned>(code))))
            overturning += probability[code];
    return overturning / all;
}

}  // namespace topple::hil::scores
