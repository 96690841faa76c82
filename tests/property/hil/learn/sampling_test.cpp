// Weighted draws against posteriors that are known in closed form.
#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "hil/learn/adaptive_sampling.hpp"
#include "tests/support/catch.hpp"

using namespace topple::hil::learn;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Powers whole() {
    return [](const MatrixXd& likelihood) -> VectorXd { return VectorXd::Ones(likelihood.cols()); };
}

/// Observation i: y_i = a_i . x + error of deviation s_i. One column per observation.
struct Linear {
    MatrixXd a;
    VectorXd y, s;

    MatrixXd operator()(const MatrixXd& draws) const {
        MatrixXd log(draws.rows(), y.size());
        for (Index i = 0; i < draws.rows(); ++i)
            log.row(i) = -0.5 * ((a * draws.row(i).transpose() - y).array() / s.array()).square().transpose();
        return log;
    }
    /// Prior N(0, 1) times these: normal, of this covariance and mean.
    MatrixXd covariance() const {
        const MatrixXd weighted = s.cwiseInverse().asDiagonal() * a;
        return (MatrixXd::Identity(a.cols(), a.cols()) + weighted.transpose() * weighted).inverse();
    }
    VectorXd mean() const { return covariance() * a.transpose() * s.cwiseProduct(s).cwiseInverse().asDiagonal() * y; }
};

Linear three_parameters(double error) {
    Linear model;
    model.a = (MatrixXd(4, 3) << 1.0, 0.5, 0.0, 0.2, -1.0, 0.3, 0.7, 0.7, 0.1, -0.4, 0.2, 0.05).finished();
    model.y = (VectorXd(4) << 0.9, -1.1, 0.4, 0.3).finished();
    model.s = VectorXd::Constant(4, error);
    return model;
}

}  // namespace

TEST_CASE("Draws weighted by a normal likelihood have the mean and covariance of the closed form") {
    // From a likelihood as wide as the prior to one that is 50 times as narrow.
    for (const double error : {1.0, 0.2, 0.02}) {
        const Linear model = three_parameters(error);
        const WeightedDraws drawn = sample_posterior(3, model, whole(), {.draws_per_stage = 2000, .enough = 4000});
        INFO("error " << error << ", effective " << drawn.effective << " of " << drawn.draws.rows());
        REQUIRE(drawn.effective >= 4000);
        const VectorXd deviation = model.covariance().diagonal().cwiseSqrt();
        const VectorXd mean = weighted_mean(drawn.draws, drawn.weights);
        const MatrixXd covariance = weighted_covariance(drawn.draws, drawn.weights);
        // 5 standard errors of means and variances of 4000 independent draws, 0.08 and 0.11 deviations.
        for (Index i = 0; i < 3; ++i) {
            CHECK(std::abs(mean[i] - model.mean()[i]) < 0.08 * deviation[i]);
            for (Index j = 0; j <= i; ++j)
                CHECK(std::abs(covariance(i, j) - model.covariance()(i, j)) < 0.11 * deviation[i] * deviation[j]);
        }
    }
}

TEST_CASE("Without observations the draws are those of the prior, all of equal weight") {
    const Linear nothing{MatrixXd(0, 2), VectorXd(0), VectorXd(0)};
    const WeightedDraws drawn = sample_posterior(2, nothing, whole(), {});
    CHECK(drawn.stages == 1);
    CHECK(drawn.effective == Approx(static_cast<double>(drawn.draws.rows())));
}

TEST_CASE("Draws weighted anew without an observation are those of the posterior of the others") {
    const Linear model = three_parameters(0.5);
    const WeightedDraws drawn = sample_posterior(3, model, whole(), {.draws_per_stage = 2000, .enough = 4000});
    VectorXd used = VectorXd::Ones(4);
    used[1] = 0.0;
    const Linear others{model.a({0, 2, 3}, Eigen::all), model.y({0, 2, 3}), model.s({0, 2, 3})};
    const VectorXd weights = drawn.weights_of(used);
    const double reach = 5.0 / std::sqrt(effective_draws(weights));
    const VectorXd mean = weighted_mean(drawn.draws, weights);
    for (Index i = 0; i < 3; ++i)
        CHECK(std::abs(mean[i] - others.mean()[i]) < reach * std::sqrt(others.covariance()(i, i)));
}

TEST_CASE("Two separate peaks are both found") {
    const auto two = [](const MatrixXd& draws) -> MatrixXd {
        const VectorXd x = draws.col(0);
        return ((-0.5 * ((x.array() - 1.5) / 0.1).square()).exp() + (-0.5 * ((x.array() + 1.5) / 0.1).square()).exp())
            .log()
            .max(-1e6)
            .matrix();
    };
    const WeightedDraws drawn = sample_posterior(1, two, whole(), {.draws_per_stage = 1000, .enough = 1000});
    const double right = (drawn.weights.array() * (drawn.draws.col(0).array() > 0.0).cast<double>()).sum();
    CHECK(right == Approx(0.5).margin(0.08).epsilon(0));  // 5 standard errors of 1000 draws
}

TEST_CASE("A likelihood that every draw finds impossible ends the search with nothing effective") {
    const auto never = [](const MatrixXd& draws) -> MatrixXd {
        return MatrixXd::Constant(draws.rows(), 1, -std::numeric_limits<double>::infinity());
    };
    const WeightedDraws drawn = sample_posterior(1, never, whole(), {});
    CHECK(drawn.effective == 0.0);
    CHECK(drawn.stages == 1);
}

TEST_CASE("The same seed gives the same draws and weights") {
    const Linear model = three_parameters(0.1);
    const WeightedDraws one = sample_posterior(3, model, whole(), {}), two = sample_posterior(3, model, whole(), {});
    CHECK(one.draws == two.draws);
    CHECK(one.weights == two.weights);
}
