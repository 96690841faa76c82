// What is believed of where overturning begins along the search of one row: a distribution over the search's way,
// updated by Bayes from every outcome.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "hil/experiment/campaign.hpp"

namespace topple::hil::campaign {

/// Way along a search: |ln(value / from)|, 0 at its start.
class SearchWay {
  public:
    explicit SearchWay(const experiment::CampaignSearch& search);
    double end() const noexcept { return end_; }
    double way_of(double value) const;
    double value_at(double way) const;

  private:
    double from_, sign_, end_;
};

/// No overturning anywhere on the way; overturning from before its start on.
inline constexpr double kNeverOverturns = std::numeric_limits<double>::infinity();
inline constexpr double kAlwaysOverturns = -std::numeric_limits<double>::infinity();

/// How far outcomes scatter, all relative to the searched number.
struct BeliefSettings {
    /// From one test to the next, about the boundary: P(overturns at u | boundary b) = Phi((u - b)/scatter).
    double scatter = 0.005;
    double model_error = 0.03;       ///< of the boundary of the right member of the ensemble
    double lapse = 0.01;             ///< share of outcomes that have nothing to do with the boundary
    double open_mind = 0.1;          ///< share of the prior that does not believe the ensemble: any place is as likely
    double resolution_ratio = 0.02;  ///< wanted; the grid is four times finer
};

class BoundaryBelief {
  public:
    /// Prior: `members` are boundaries of the ensemble (0: it overturns at the start, kNeverOverturns: nowhere),
    /// weighted; both may be empty.
    BoundaryBelief(double way_end, const BeliefSettings& settings, const std::vector<double>& members,
                   const std::vector<double>& weights);

    void observe(double way, bool overturned);
    /// Expected information of a test there about the boundary, bit.
    double information_bit(double way) const;
    double probability_overturns(double way) const;
    /// Way up to which this share of the belief lies; 0 if it ends in "always", kNeverOverturns if in "never".
    double quantile(double share) const;
    double probability_never() const noexcept { return probability_.back(); }
    double probability_always() const noexcept { return probability_.front(); }
    const std::vector<double>& ways() const noexcept { return ways_; }  ///< where tests are considered

  private:
    double likelihood(double way, std::size_t cell) const;
    BeliefSettings settings_;
    std::vector<double> ways_;         // of the grid
    std::vector<double> probability_;  // of a boundary: always, at each of the ways, never
};

/// Outcomes of one row, as far as they bound where overturning begins.
struct RowOutcomes {
    std::optional<double> stands;     ///< furthest way at which it stood
    std::optional<double> overturns;  ///< least way at which it overturned
    std::size_t contradictions = 0;   ///< tests that stood beyond one that overturned
};
/// Probability of these outcomes of one row if a member's boundary is this and the model has an error, the same for all
/// tests of the row: that the boundary lies between the two.
double member_likelihood(const BeliefSettings& settings, double boundary, const RowOutcomes& outcomes);

}  // namespace topple::hil::campaign
