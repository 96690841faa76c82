// One test that was predicted and seen: what a score is made of.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "solver/outcome.hpp"

namespace topple::hil::scores {

/// Of solver::Outcome; a class's place in an array is its solver::outcome_code.
inline constexpr std::size_t kOutcomes = 6;
using Probabilities = std::array<double, kOutcomes>;

/// What became of the specimen. Whoever noted only whether it fell knows nothing of translation, sliding and rocking;
/// "overturned" of a stack does not say whether all of it did.
struct Observation {
    bool overturned = false;
    std::optional<solver::Outcome> outcome;  ///< empty: only `overturned` is known
    bool slip_unseen = false;                ///< who looked would have called sliding translation
};
Observation observed(solver::Outcome outcome) noexcept;
Observation observed_fall(bool overturned) noexcept;

struct ScoredTest {
    std::string name;
    /// Shares of the ensemble's members by outcome; what is missing to 1 are members whose solution failed, and the
    /// rest is scaled up to 1.
    Probabilities probability{};
    std::size_t members = 0;  ///< that the shares are of. The log score takes no share as nearer to 0 or 1 than half a
                              ///< member; 0: than 0.001
    std::optional<solver::Outcome> predicted;  ///< of the specimen as described; empty: the solution failed
    Observation observed;
    std::optional<double> peak_velocity_m_s;  ///< of the base, >= 0: what the logistic fit predicts from
    std::optional<double> peak_rotation_rad;  ///< measured, absolute, of a test that did not overturn: of repeats only
    std::string group;                        ///< repeats of one test share it; empty: the test stands alone
};

/// Share of overturning of any kind among the members that have an outcome; empty if none has.
std::optional<double> overturning_probability(const Probabilities& probability) noexcept;
inline std::optional<double> overturning_probability(const ScoredTest& test) noexcept {
    return overturning_probability(test.probability);
}

}  // namespace topple::hil::scores
