// A posterior from two independent searches, and whether they agree. Pure arithmetic.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>

#include "hil/learn/adaptive_sampling.hpp"

namespace topple::hil::outcome_fit {

inline constexpr double kEffectiveLeast = 100.0;   ///< draws; with fewer there is no answer
inline constexpr double kLargestWeightMost = 0.1;  ///< of one draw
inline constexpr double kPotentialMost = 1.1;      ///< potential scale reduction of the two searches
inline constexpr double kEvidenceGapMost = 1.0;    ///< between the logarithms of the two evidences

struct Convergence {
    std::size_t draws = 0;
    int stages = 0;
    double effective = 0.0, largest_weight = 0.0;
    double potential_scale = 1.0;  ///< the largest over all parameters (Gelman & Rubin 1992, of two weighted sets)
    double log_evidence = 0.0, evidence_gap = 0.0;
    std::string failure;  ///< what is not enough; empty: converged
};

struct TwoSearches {
    learn::WeightedDraws draws;  ///< of both, the first search's first
    Convergence convergence;
};

/// Each search has half of the settings' effective draws to find, and its own seed. Every observation counts with its
/// power (0: held out, 1).
TwoSearches search_twice(Eigen::Index parameters, const learn::LogLikelihood& log_likelihood,
                         const Eigen::VectorXd& powers, const learn::SamplingSettings& settings);

}  // namespace topple::hil::outcome_fit
