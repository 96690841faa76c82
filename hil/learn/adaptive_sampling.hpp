// Bayes by weighted draws: adaptive multiple importance sampling with a tempered start. Pure arithmetic.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>

namespace topple::hil::learn {

/// Natural logarithms of the likelihood of every observation (column) at every draw (row); -infinity: impossible.
/// `draws`: one per row, each an independent standard normal number per parameter under the prior.
using LogLikelihood = std::function<Eigen::MatrixXd(const Eigen::MatrixXd& draws)>;
/// Power of each observation's likelihood, 0..1, from all that is known of it so far: how far its error model is
/// trusted.
using Powers = std::function<Eigen::VectorXd(const Eigen::MatrixXd& log_likelihood)>;

struct SamplingSettings {
    Eigen::Index draws_per_stage = 400;
    int stages_max = 12;
    double enough = 300.0;  ///< effective draws at which the search ends
    std::uint64_t seed = 1;
};

/// All draws of all stages, each weighted by prior times likelihood over the mixture of everything that was drawn from.
struct WeightedDraws {
    Eigen::MatrixXd draws;           ///< one per row, standard normal under the prior
    Eigen::MatrixXd log_likelihood;  ///< of each observation, before its power
    Eigen::VectorXd powers;          ///< one per observation
    Eigen::VectorXd log_prior;       ///< of prior over mixture: the weight without any observation
    Eigen::VectorXd weights;         ///< of the posterior; their sum is 1
    double effective = 0.0;          ///< 1 / sum of squared weights
    int stages = 0;

    /// Weights of the posterior of these observations alone (1: used), sum 1.
    Eigen::VectorXd weights_of(const Eigen::VectorXd& used) const;
    /// ln of the evidence: the mean of the likelihood under the prior.
    double log_evidence() const;
};

/// Draws of two searches with the same observations and powers, as one: their unnormalised weights have one scale.
WeightedDraws pooled(const WeightedDraws& one, const WeightedDraws& other);

double effective_draws(const Eigen::VectorXd& weights);

/// Draws from the prior first; then, stage by stage, nine draws of ten from a normal distribution fitted to the draws
/// so far under a likelihood raised to the largest power that leaves a quarter of a stage effective, one of ten from
/// the prior. All stages count in the end (Cornuet, Marin, Mira & Robert 2012). Ends with `enough` effective draws of
/// the whole likelihood, or after stages_max: `effective` says which. Deterministic for a seed.
WeightedDraws sample_posterior(Eigen::Index parameters, const LogLikelihood& log_likelihood, const Powers& powers,
                               const SamplingSettings& settings);

/// Mean of `values` (one row per draw).
Eigen::VectorXd weighted_mean(const Eigen::MatrixXd& values, const Eigen::VectorXd& weights);
Eigen::MatrixXd weighted_covariance(const Eigen::MatrixXd& values, const Eigen::VectorXd& weights);
double weighted_quantile(const Eigen::VectorXd& values, const Eigen::VectorXd& weights, double share);

}  // namespace topple::hil::learn
