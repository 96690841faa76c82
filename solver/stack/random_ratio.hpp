// Restitution that differs from impact to impact: the random amplitude of the impulsive force.
#pragma once

#include <cmath>
#include <cstdint>

#include "solver/numerics/random_sequence.hpp"

namespace topple::solver {

/// Ratio r = exp(-A) of each impact, A log-normal (Prieto et al., eq. 77) with mean ln(1/r_mean) (87) and standard
/// deviation s/r_mean (88), s = 2 defect (1 - r_mean): a corner worn off by defect x half width changes 1 - r by
/// 2 defect of itself (their (71), (74), (75) as corrected, docs/physics.md#random-restitution). 0 < r < 1 always.
class RandomRatio {
  public:
    RandomRatio() = default;  ///< not in use
    /// 0 < mean < 1, 0 <= defect < 0.5.
    RandomRatio(double mean, double defect, std::uint64_t seed) noexcept
        : in_use_(true), random_(SplitMix64(seed).next()) {
        const double amplitude = -std::log(mean), spread = 2.0 * defect * (1.0 - mean) / mean / amplitude;
        b_ = std::sqrt(std::log1p(spread * spread));  // (90)
        a_ = std::log(amplitude) - 0.5 * b_ * b_;     // (89)
    }

    bool in_use() const noexcept { return in_use_; }
    /// Ratio of the next impact; a copy continues with the same sequence.
    double next() noexcept { return std::exp(-std::exp(a_ + b_ * normal_pair(random_)[0])); }

  private:
    bool in_use_ = false;
    double a_ = 0.0, b_ = 0.0;
    SplitMix64 random_{0};
};

}  // namespace topple::solver
