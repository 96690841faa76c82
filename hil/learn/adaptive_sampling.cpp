#include "hil/learn/adaptive_sampling.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "solver/numerics/random_sequence.hpp"

namespace topple::hil::learn {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kReach = 5.0;            // of every parameter, in prior deviations: nothing further out is believed
constexpr double kWider = 1.3;            // deviations of a fitted distribution: tails must not be missed
constexpr double kPriorShare = 0.1;       // of a later stage: another mode would be found
constexpr double kTempered_share = 0.25;  // of a stage that stays effective at the tempered likelihood
constexpr double kNarrowest = 1e-3;       // of the prior's deviation: what a fitted distribution may shrink to at once
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Normal {
    VectorXd mean;
    MatrixXd factor;  ///< lower triangular, of the covariance

    double log_density(const VectorXd& at) const {
        const VectorXd standard = factor.triangularView<Eigen::Lower>().solve(at - mean);
        return -0.5 * standard.squaredNorm() - factor.diagonal().array().log().sum() -
               0.5 * static_cast<double>(at.size()) * std::log(2.0 * std::numbers::pi);
    }
};

/// What one stage drew from: the prior, and beside it a fitted distribution.
struct Stage {
    double prior_share = 1.0;
    Normal fitted;
};

Normal prior_of(Index parameters) { return {VectorXd::Zero(parameters), MatrixXd::Identity(parameters, parameters)}; }

VectorXd standard_normals(Index count, solver::SplitMix64& random) {
    VectorXd draw(count);
    for (Index i = 0; i < count; ++i) draw[i] = solver::normal_pair(random)[0];
    return draw;
}

VectorXd draw_from(const Stage& stage, Index parameters, solver::SplitMix64& random) {
    constexpr int kTries = 100;
    const Normal prior = prior_of(parameters);
    const Normal& from = random.uniform() < stage.prior_share ? prior : stage.fitted;
    VectorXd draw = prior.mean;
    for (int i = 0; i < kTries; ++i) {
        draw = from.mean + from.factor * standard_normals(parameters, random);
        if (draw.size() == 0 || draw.cwiseAbs().maxCoeff() < kReach) return draw;
    }
    return draw.cwiseMax(-kReach).cwiseMin(kReach);
}

double log_sum(double a, double b) {
    const double high = std::max(a, b);
    return high == -kInfinity ? high : high + std::log(std::exp(a - high) + std::exp(b - high));
}

/// Of prior over the mixture of all stages, which have equally many draws.
VectorXd log_prior_over_mixture(const MatrixXd& draws, const std::vector<Stage>& stages) {
    const Normal prior = prior_of(draws.cols());
    VectorXd ratio(draws.rows());
    for (Index i = 0; i < draws.rows(); ++i) {
        const VectorXd at = draws.row(i).transpose();
        const double of_prior = prior.log_density(at);
        double mixture = -kInfinity;
        for (const Stage& stage : stages) {
            mixture = log_sum(mixture, std::log(stage.prior_share) + of_prior);
            if (stage.prior_share < 1.0)
                mixture = log_sum(mixture, std::log(1.0 - stage.prior_share) + stage.fitted.log_density(at));
        }
        ratio[i] = of_prior - mixture + std::log(static_cast<double>(stages.size()));
    }
    return ratio;
}

/// Sum 1; all equal to 0 where nothing is possible.
VectorXd normalised(const VectorXd& log_weights) {
    const double high = log_weights.maxCoeff();
    if (!(high > -kInfinity)) return VectorXd::Zero(log_weights.size());
    const VectorXd weights = (log_weights.array() - high).exp();
    return weights / weights.sum();
}

VectorXd total_of(const MatrixXd& log_likelihood, const VectorXd& powers) {
    VectorXd total = VectorXd::Zero(log_likelihood.rows());
    for (Index column = 0; column < log_likelihood.cols(); ++column)  // 0 times infinity is nothing here
        if (powers[column] > 0.0) total += powers[column] * log_likelihood.col(column);
    return total;
}

/// Under the likelihood raised to the largest power at which so many draws stay effective.
VectorXd tempered_weights(const VectorXd& log_prior, const VectorXd& log_likelihood, double effective) {
    const auto at = [&](double power) -> VectorXd { return normalised(log_prior + power * log_likelihood); };
    if (effective_draws(at(1.0)) >= effective) return at(1.0);
    double low = 0.0, high = 1.0;
    constexpr int kHalvings = 40;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = 0.5 * (low + high);
        (effective_draws(at(middle)) >= effective ? low : high) = middle;
    }
    return at(std::max(low, 1e-9));
}

Stage fitted_stage(const MatrixXd& draws, const VectorXd& weights) {
    const Index n = draws.cols();
    const MatrixXd covariance =
        kWider * kWider * weighted_covariance(draws, weights) + kNarrowest * kNarrowest * MatrixXd::Identity(n, n);
    return {kPriorShare, {weighted_mean(draws, weights), covariance.llt().matrixL()}};
}

void append(MatrixXd& all, const MatrixXd& more) {
    MatrixXd both(all.rows() + more.rows(), more.cols());
    if (all.rows() > 0) both.topRows(all.rows()) = all;
    both.bottomRows(more.rows()) = more;
    all = std::move(both);
}

}  // namespace

double effective_draws(const VectorXd& weights) {
    const double squares = weights.squaredNorm();
    return squares > 0.0 ? weights.sum() * weights.sum() / squares : 0.0;
}

VectorXd WeightedDraws::weights_of(const VectorXd& used) const {
    return normalised(log_prior + total_of(log_likelihood, powers.cwiseProduct(used)));
}

double WeightedDraws::log_evidence() const {
    const VectorXd log_weights = log_prior + total_of(log_likelihood, powers);
    const double high = log_weights.maxCoeff();
    if (!(high > -kInfinity)) return high;
    return high + std::log((log_weights.array() - high).exp().mean());
}

WeightedDraws pooled(const WeightedDraws& one, const WeightedDraws& other) {
    WeightedDraws both = one;
    append(both.draws, other.draws);
    append(both.log_likelihood, other.log_likelihood);
    both.log_prior.resize(one.log_prior.size() + other.log_prior.size());
    both.log_prior << one.log_prior, other.log_prior;
    both.weights = both.weights_of(VectorXd::Ones(both.powers.size()));
    both.effective = effective_draws(both.weights);
    both.stages = std::max(one.stages, other.stages);
    return both;
}

WeightedDraws sample_posterior(Index parameters, const LogLikelihood& log_likelihood, const Powers& powers,
                               const SamplingSettings& settings) {
    solver::SplitMix64 random(settings.seed);
    std::vector<Stage> stages{{1.0, prior_of(parameters)}};
    WeightedDraws result;
    for (int stage = 0; stage < settings.stages_max; ++stage) {
        MatrixXd drawn(settings.draws_per_stage, parameters);
        for (Index i = 0; i < drawn.rows(); ++i)
            drawn.row(i) = draw_from(stages.back(), parameters, random).transpose();
        append(result.draws, drawn);
        append(result.log_likelihood, log_likelihood(drawn));
        result.stages = stage + 1;
        result.log_prior = log_prior_over_mixture(result.draws, stages);
        result.powers = powers(result.log_likelihood);
        const VectorXd total = total_of(result.log_likelihood, result.powers);
        result.weights = normalised(result.log_prior + total);
        result.effective = effective_draws(result.weights);
        if (result.effective >= settings.enough) break;
        const double wanted = kTempered_share * static_cast<double>(settings.draws_per_stage);
        const VectorXd tempered = tempered_weights(result.log_prior, total, wanted);
        if (!(tempered.sum() > 0.0)) break;  // every draw is impossible
        stages.push_back(fitted_stage(result.draws, tempered));
    }
    return result;
}

VectorXd weighted_mean(const MatrixXd& values, const VectorXd& weights) { return values.transpose() * weights; }

MatrixXd weighted_covariance(const MatrixXd& values, const VectorXd& weights) {
    const MatrixXd centred = values.rowwise() - weighted_mean(values, weights).transpose();
    return centred.transpose() * weights.asDiagonal() * centred;
}

double weighted_quantile(const VectorXd& values, const VectorXd& weights, double share) {
    std::vector<Index> order(static_cast<std::size_t>(values.size()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] < values[b]; });
    double below = 0.0;
    for (const Index i : order) {
        below += weights[i];
        if (below >= share * weights.sum()) return values[i];
    }
    return order.empty() ? 0.0 : values[order.back()];
}

}  // namespace topple::hil::learn
