// How surprising a reading is if the truth is one more draw from an ensemble. Pure statistics.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hil/compare/reading.hpp"

namespace topple::hil::compare {

/// A smoothed sample: normal kernels of 0.9 min(deviation, quartile distance/1.34) n^(-1/5) (Silverman 1986, eq. 3.31).
/// n is the number of members of equal weight that the values are worth (Kish).
class PredictiveSample {
  public:
    /// `weights`: what each value counts; empty: all 1.
    explicit PredictiveSample(std::vector<double> values, std::vector<double> weights = {});

    std::size_t count() const noexcept { return sorted_.size(); }
    double effective_count() const noexcept { return effective_; }
    double quantile(double share) const;  ///< 0..1, straight lines between the order statistics; count() > 0
    /// Probability of a value at or below; `own_weight` > 0: the value is one of the sample, and so much of it does not
    /// count.
    double below(double value, double own_weight) const;

  private:
    double deviation() const;

    std::vector<double> sorted_, weights_;  // no weights: all 1
    double total_ = 0.0, effective_ = 0.0;
    double bandwidth_ = 0.0;
};

/// Probabilities, 0..1, of something at least as surprising; empty where there is nothing to compare with.
struct Surprise {
    std::optional<double> outcome, side;
    std::vector<std::optional<double>> quantity;

    double smallest() const noexcept;  ///< 1 without any
};

/// Members of an ensemble as the instruments would have read them, each with its weight. Failed members do not count.
class EnsembleOfReadings {
  public:
    EnsembleOfReadings(const std::vector<Quantity>& quantities, std::vector<Reading> members);

    std::size_t count() const noexcept { return members_.size(); }
    double share(solver::Outcome outcome) const noexcept;
    /// Of the members with this outcome.
    double share(solver::Outcome outcome, solver::Side side) const noexcept;
    /// Of quantity `q` among the members with this outcome; null if they are worth less than kLeastMembers.
    const PredictiveSample* sample(solver::Outcome outcome, std::size_t q) const noexcept;
    /// Two-sided; one-sided for the distance of histories. An outcome or side that no member has: 0.
    Surprise of(const Reading& reading) const { return of(reading, 0.0); }
    /// Share of the draws, this one included, whose least expected criterion is as surprising as that of `reading`. By
    /// symmetry it falls below p with probability p if the truth is a draw, however the criteria depend on each other.
    double as_surprising(const Reading& reading) const;

    static constexpr std::size_t kLeastMembers = 20;

  private:
    Surprise of(const Reading& reading, double own_weight) const;
    std::optional<double> of_outcome(const Reading& reading, double own_weight) const;
    std::optional<double> of_side(const Reading& reading, double own_weight) const;

    std::vector<Quantity> quantities_;
    std::vector<Reading> members_;
    std::vector<std::vector<std::optional<PredictiveSample>>> samples_;  ///< [outcome][quantity]
};

/// How many of 100 tests, for a sentence: "12", "fewer than 1".
std::string of_100(double probability);

}  // namespace topple::hil::compare
