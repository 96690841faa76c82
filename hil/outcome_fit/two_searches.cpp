#include "hil/outcome_fit/two_searches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace topple::hil::outcome_fit {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using learn::WeightedDraws;

/// sqrt(1 + B/W) of two means and the mean of their variances.
double potential_scale(const WeightedDraws& one, const WeightedDraws& other) {
    double largest = 1.0;
    for (Index j = 0; j < one.draws.cols(); ++j) {
        const double apart = learn::weighted_mean(one.draws.col(j), one.weights)[0] -
                             learn::weighted_mean(other.draws.col(j), other.weights)[0];
        const double within = 0.5 * (learn::weighted_covariance(one.draws.col(j), one.weights)(0, 0) +
                                     learn::weighted_covariance(other.draws.col(j), other.weights)(0, 0));
        if (apart != 0.0) largest = std::max(largest, std::sqrt(1.0 + 0.5 * apart * apart / within));
    }
    return largest;
}

std::string failure_of(const Convergence& of) {
    if (!(of.effective >= kEffectiveLeast))
        return fmt::format("only {:.0f} of {} draws count after {} stages; at least {:g} are required", of.effective,
                           of.draws, of.stages, kEffectiveLeast);
    if (of.largest_weight > kLargestWeightMost)
        return fmt::format("one draw has {:.0f} % of the weight; at most {:.0f} % are allowed",
                           100.0 * of.largest_weight, 100.0 * kLargestWeightMost);
    if (!(of.potential_scale <= kPotentialMost))
        return fmt::format(
            "two independent searches found different values (potential scale reduction {:.2f}, at most "
            "{:g} is allowed)",
            of.potential_scale, kPotentialMost);
    if (!(of.evidence_gap <= kEvidenceGapMost))
        return fmt::format(
            "the evidences of two independent searches differ by a factor of {:.1f}; at most {:.1f} is "
            "allowed",
            std::exp(of.evidence_gap), std::exp(kEvidenceGapMost));
    return {};
}

}  // namespace

TwoSearches search_twice(Index parameters, const learn::LogLikelihood& log_likelihood, const VectorXd& powers,
                         const learn::SamplingSettings& settings) {
    constexpr std::uint64_t kOther = 0x9E3779B97F4A7C15ull;
    learn::SamplingSettings half = settings;
    half.enough = 0.5 * settings.enough;
    const learn::Powers given = [&](const Eigen::MatrixXd&) { return powers; };
    const WeightedDraws one = learn::sample_posterior(parameters, log_likelihood, given, half);
    half.seed = settings.seed ^ kOther;
    const WeightedDraws other = learn::sample_posterior(parameters, log_likelihood, given, half);
    TwoSearches both{learn::pooled(one, other), {}};
    Convergence& of = both.convergence;
    of.draws = static_cast<std::size_t>(both.draws.draws.rows());
    of.stages = both.draws.stages;
    of.effective = both.draws.effective;
    of.largest_weight = both.draws.weights.maxCoeff();
    of.potential_scale = potential_scale(one, other);
    of.log_evidence = both.draws.log_evidence();
    of.evidence_gap = std::abs(one.log_evidence() - other.log_evidence());
    if (!std::isfinite(of.evidence_gap)) of.evidence_gap = 1e9;  // no draw of one search is possible
    of.failure = failure_of(of);
    return both;
}

}  // namespace topple::hil::outcome_fit
