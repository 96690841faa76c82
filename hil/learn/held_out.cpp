#include "hil/learn/held_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace topple::hil::learn {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// ln of the mean of the likelihood raised to its power.
double log_score(const VectorXd& log_likelihood, double power, const VectorXd& weights) {
    const double high = log_likelihood.maxCoeff();
    return power * high + std::log((weights.array() * (power * (log_likelihood.array() - high)).exp()).sum());
}

/// Probability that a measurement of this feature lies at or below what was measured; the error is part of it.
double probability_below(const Feature& feature, std::size_t number, const std::vector<Explanation>& explanations,
                         const VectorXd& weights) {
    double below = 0.0, all = 0.0;
    for (std::size_t i = 0; i < explanations.size(); ++i) {
        if (number >= explanations[i].features.size() || !explanations[i].features[number]) continue;
        const double weight = weights[static_cast<Index>(i)];
        const double away = (feature.value - *explanations[i].features[number]) / feature.error;
        below += weight * 0.5 * std::erfc(-away / std::numbers::sqrt2);
        all += weight;
    }
    return all > 0.5 ? below / all : 0.0;  // a feature that most draws do not have is not foretold
}

std::size_t covered(const RunEvidence& run, const std::vector<Explanation>& explanations, const VectorXd& weights) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < run.features.size(); ++i) {
        const double below = probability_below(run.features[i], i, explanations, weights);
        if (below >= 0.05 && below <= 0.95) ++count;
    }
    return count;
}

}  // namespace

void foretell_held_out(Learning& learning, const std::vector<std::size_t>& used, const WeightedDraws& sampled,
                       const std::vector<const std::vector<Explanation>*>& explanations) {
    if (used.size() < 2) {
        learning.held_out_not_possible = "a single run cannot be foretold from others";
        return;
    }
    const VectorXd of_prior = sampled.weights_of(VectorXd::Zero(sampled.powers.size()));
    for (std::size_t i = 0; i < used.size(); ++i) {
        const Index column = static_cast<Index>(i);
        VectorXd others = VectorXd::Ones(sampled.powers.size());
        others[column] = 0.0;
        const VectorXd weights = sampled.weights_of(others);
        const RunEvidence& run = learning.runs[used[i]];
        HeldOut one;
        one.run = used[i];
        one.effective = effective_draws(weights);
        one.features = run.features.size();
        if (sampled.powers[column] == 0.0)
            one.not_possible = "it was left out";
        else if (one.effective < kHeldOutEffectiveMin)
            one.not_possible = fmt::format("only {:.0f} draws count without it, {:g} are required", one.effective,
                                           kHeldOutEffectiveMin);
        if (one.not_possible.empty()) {
            const VectorXd likelihood = sampled.log_likelihood.col(column);
            one.log_score_gain = log_score(likelihood, sampled.powers[column], weights) -
                                 log_score(likelihood, sampled.powers[column], of_prior);
            one.covered = covered(run, *explanations[i], weights);
            one.covered_by_prior = covered(run, *explanations[i], of_prior);
        }
        learning.held_out.push_back(one);
    }
}

}  // namespace topple::hil::learn
