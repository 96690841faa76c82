#include "hil/learn/marginals.hpp"

#include <algorithm>
#include <cmath>

#include "hil/learn/adaptive_sampling.hpp"

namespace topple::hil::learn {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using solver::DistributionKind;

constexpr double kLogarithmFrom = 0.1;  // deviation of a factor from which a normal one could come near 0

void add_curve(Marginal& one, const VectorXd& values, const VectorXd& weights) {
    constexpr int kPoints = 160;
    const double low = std::min(one.low, one.prior_low), high = std::max(one.high, one.prior_high);
    const double reach = 0.4 * (high - low);
    const double bandwidth = std::max(1e-12, 0.9 * one.deviation * std::pow(effective_draws(weights), -0.2));
    for (int i = 0; i < kPoints; ++i) {
        const double at = low - reach + (high - low + 2.0 * reach) * i / (kPoints - 1);
        const VectorXd away = (values.array() - at) / bandwidth;
        one.curve_at.push_back(at);
        one.curve.push_back((weights.array() * (-0.5 * away.array().square()).exp()).sum() /
                            (bandwidth * std::sqrt(2.0 * M_PI)));
    }
}

}  // namespace

Marginal marginal_of(const VectorXd& departures, const VectorXd& weights, const VectorXd& prior_weights) {
    Marginal one;
    one.mean = weighted_mean(departures, weights)[0];
    one.deviation = std::sqrt(weighted_covariance(departures, weights)(0, 0));
    one.low = weighted_quantile(departures, weights, 0.05);
    one.high = weighted_quantile(departures, weights, 0.95);
    one.prior_low = weighted_quantile(departures, prior_weights, 0.05);
    one.prior_high = weighted_quantile(departures, prior_weights, 0.95);
    const double prior_mean = weighted_mean(departures, prior_weights)[0];
    const double prior_deviation = std::sqrt(weighted_covariance(departures, prior_weights)(0, 0));
    one.is_informative = one.deviation < kShrunkMax_ratio * prior_deviation ||
                         std::abs(one.mean - prior_mean) > kMovedMin * prior_deviation;
    add_curve(one, departures, weights);
    return one;
}

bool is_logarithmic(const solver::Distribution& prior, double deviation) noexcept {
    return prior.kind == DistributionKind::lognormal || deviation > kLogarithmFrom;
}

NormalPosterior normal_posterior(const MatrixXd& departures, const std::vector<bool>& as_logarithm,
                                 const VectorXd& weights) {
    MatrixXd at = departures;
    for (Index j = 0; j < at.cols(); ++j)
        if (as_logarithm[static_cast<std::size_t>(j)]) at.col(j) = at.col(j).array().log1p();
    const MatrixXd covariance = weighted_covariance(at, weights);
    const VectorXd mean = weighted_mean(at, weights), deviation = covariance.diagonal().cwiseSqrt();
    NormalPosterior posterior;
    posterior.correlation = deviation.cwiseInverse().asDiagonal() * covariance * deviation.cwiseInverse().asDiagonal();
    constexpr double kKept = 1.0 - 1e-6;  // so that rounding leaves it positive definite
    posterior.correlation *= kKept;
    posterior.correlation.diagonal().setOnes();
    for (Index j = 0; j < at.cols(); ++j)
        posterior.of.push_back(
            {as_logarithm[static_cast<std::size_t>(j)] ? DistributionKind::lognormal : DistributionKind::normal,
             deviation[j], mean[j]});
    return posterior;
}

}  // namespace topple::hil::learn
