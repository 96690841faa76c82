// How likely the outcomes of a table are for a possible specimen: shares of draws of what varies from test to test.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hil/cluster/work_shares.hpp"
#include "hil/outcome_fit/fit_parameters.hpp"
#include "hil/outcome_fit/fit_tests.hpp"

namespace topple::hil::outcome_fit {

inline constexpr std::size_t kDrawsPerTestMax = 200;  ///< of a count in eight bits

/// Which part of an outcome teaches.
enum class LearnFrom {
    classes,      ///< translation, sliding, rocking, overturning, as far as they are known
    overturning,  ///< only whether it fell: who looks at a test does not see a rotation of a thousandth of a radian
};

struct LikelihoodSettings {
    double lapse = 0.05;              ///< probability that a test ended as no model could know, 0 < lapse < 1
    std::size_t draws_per_test = 16;  ///< of what varies from test to test; 1 where nothing does
    LearnFrom learn_from = LearnFrom::classes;
    std::uint64_t seed = 1;
    unsigned threads = 1;                   ///< of each rank
    cluster::WorkShares* shares = nullptr;  ///< never null
};

/// How many draws of a test ended so, by solver::outcome_code; what is missing to all of them failed.
using OutcomeCounts = std::array<std::uint8_t, scores::kOutcomes>;
/// Instead: none of the draws was a valid specimen.
inline constexpr std::uint8_t kNoSpecimen = 255;
inline bool is_possible(const OutcomeCounts& counts) noexcept { return counts[0] != kNoSpecimen; }

/// Share of `draws` that ended as it was seen; a failed one counts half.
double share_as_seen(const OutcomeCounts& counts, std::size_t draws, const scores::Observation& seen,
                     LearnFrom learn_from) noexcept;
/// (1 - lapse) share + lapse times what somebody who guesses would have noted so: falling or standing equally often,
/// and each class of them.
double likelihood_of(double share, const scores::Observation& seen, bool is_stack,
                     const LikelihoodSettings& settings) noexcept;

/// Standard normal numbers for `draws` of one test, one row each: a Latin hypercube of its own, cut at 4.
Eigen::MatrixXd latin_normals(std::size_t draws, std::size_t columns, std::uint64_t seed);

/// Likelihoods of the tests of one specimen (columns) at draws (rows), with the outcomes behind them. Draws of a test's
/// own are new at every row: the likelihood is an unbiased estimate of what it would be with infinitely many, and
/// weights with it are unbiased, too (random weights: Fearnhead, Papaspiliopoulos, Roberts & Stuart 2010).
class TableLikelihood {
  public:
    TableLikelihood(const SpecimenTests& tests, const FitParameters& parameters, const LikelihoodSettings& settings);

    /// Natural logarithms; the outcomes are kept behind those of earlier calls. -infinity: no valid specimen.
    Eigen::MatrixXd log_likelihood(const Eigen::MatrixXd& draws);

    std::size_t draws_per_test() const noexcept { return draws_per_test_; }
    std::size_t rows() const noexcept { return counts_.size() / tests_.tests.size(); }
    const OutcomeCounts& counts(std::size_t row, std::size_t test) const {
        return counts_[row * tests_.tests.size() + test];
    }

  private:
    struct Lot;
    void solve(const Eigen::MatrixXd& draws, std::size_t first_row, const Lot& lot);
    void tell_all(const std::vector<char>& is_mine, std::size_t first_row, std::size_t rows);
    Lot lot_of(std::size_t index, std::size_t rows) const;

    const SpecimenTests& tests_;
    const FitParameters& parameters_;
    LikelihoodSettings settings_;
    std::size_t draws_per_test_;
    std::vector<OutcomeCounts> counts_;  ///< [row][test]
};

}  // namespace topple::hil::outcome_fit
