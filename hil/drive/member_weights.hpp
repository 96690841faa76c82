// How much each member of an ensemble counts.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace topple::hil::drive {

class MemberWeights {
  public:
    explicit MemberWeights(std::size_t count) { make_equal(count); }

    void make_equal(std::size_t count) { weights_.assign(count, 1.0 / static_cast<double>(count)); }
    /// One logarithm of a likelihood per member, up to a common term. Bayes' rule.
    void multiply(std::span<const double> log_likelihood);
    std::span<const double> values() const noexcept { return weights_; }

    /// Members of equal weight that would be worth as much: 1 / sum of the squares (Kish), from 1 to their number.
    double effective_count() const noexcept;
    /// So many members, each as often as its weight says, to within one: systematic sampling.
    std::vector<std::size_t> drawn(std::size_t count) const;

  private:
    std::vector<double> weights_;  // sum 1
};

}  // namespace topple::hil::drive
