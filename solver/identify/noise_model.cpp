#include "solver/identify/noise_model.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace topple::solver {
namespace {

constexpr double kVarianceFloor_ratio = 1e-12;  // of the white noise, so that no gain is 0/0
constexpr int kRefinements = 40;

/// The filter of a wander of variance `share` under white noise of variance 1 - share. Its gains depend on the times
/// alone. Calls each(i, decay, gain, deviation): the prediction of sample i is decay times the last estimate.
template <class Each>
void filter(double share, double tau_s, std::span<const double> time_s, Each&& each) {
    const double white = std::max(1.0 - share, kVarianceFloor_ratio);
    double variance = share, last_step_s = -1.0, decay = 0.0;
    for (std::size_t i = 0; i < time_s.size(); ++i) {
        if (i > 0) {
            const double step_s = time_s[i] - time_s[i - 1];
            if (step_s != last_step_s) decay = std::exp(-step_s / tau_s);
            last_step_s = step_s;
            variance = share + decay * decay * (variance - share);
        } else {
            decay = 0.0;
        }
        const double innovation = variance + white, gain = variance / innovation;
        each(i, decay, gain, std::sqrt(innovation));
        variance *= 1.0 - gain;
    }
}

/// Whitens for a total variance of 1; returns the logarithm of the determinant that this took.
double whiten_shape(double share, double tau_s, std::span<const double> time_s, ResidualsAndSlopes& fit) {
    Eigen::VectorXd estimate = Eigen::VectorXd::Zero(fit.rows());
    double log_determinant = 0.0;
    filter(share, tau_s, time_s, [&](std::size_t i, double decay, double gain, double deviation) {
        auto sample = fit.col(static_cast<Eigen::Index>(i));
        estimate *= decay;
        sample -= estimate;
        estimate += gain * sample;
        sample /= deviation;
        log_determinant += 2.0 * std::log(deviation);
    });
    return log_determinant;
}

struct Likelihood {
    double cost;      ///< -2 log restricted likelihood, up to a constant; the total variance is profiled out
    double variance;  ///< most likely total variance
};

Likelihood likelihood(double share, double tau_s, std::span<const double> time_s, const ResidualsAndSlopes& fit,
                      const Eigen::MatrixXd& prior) {
    ResidualsAndSlopes white = fit;
    const double log_determinant = whiten_shape(share, tau_s, time_s, white);
    const auto slopes = white.bottomRows(white.rows() - 1);
    const Eigen::MatrixXd information = slopes * slopes.transpose() + prior;
    const Eigen::LDLT<Eigen::MatrixXd> factors(information);
    const Eigen::VectorXd gradient = slopes * white.row(0).transpose();
    const double squares = white.row(0).squaredNorm() - gradient.dot(factors.solve(gradient));
    const double freedom = static_cast<double>(fit.cols() - slopes.rows()), variance = squares / freedom;
    if (!(variance > 0.0)) return {-std::numeric_limits<double>::max(), 0.0};
    return {freedom * std::log(variance) + log_determinant + factors.vectorD().array().abs().log().sum(), variance};
}

/// What the likelihood sees almost independently of each other, both unbounded: how quickly the wander spreads
/// (wander^2/tau against the white noise's variance, per second) and how long it lasts.
struct Shape {
    double log_spread, log_tau;
    double share() const { return 1.0 / (1.0 + std::exp(-log_spread - log_tau)); }
    double tau_s() const { return std::exp(log_tau); }
};

}  // namespace

double NoiseModel::deviation_rad() const noexcept { return std::hypot(white_rad, wander_rad); }

NoiseModel fit_noise(std::span<const double> time_s, const ResidualsAndSlopes& fit, const Eigen::MatrixXd& prior) {
    const double span_s = time_s.back() - time_s.front();
    const double step_s = span_s / static_cast<double>(time_s.size() - 1);
    const double tau_min = std::log(0.5 * step_s), tau_max = std::log(30.0 * span_s);
    const Likelihood white = likelihood(0.0, step_s, time_s, fit, prior);
    if (!(white.variance > 0.0)) return {};
    const auto cost = [&](const Shape& shape) {
        return likelihood(shape.share(), shape.tau_s(), time_s, fit, prior).cost;
    };
    // A coarse grid, then a pattern search.
    const double by_step = -std::log(step_s);
    Shape best{by_step, tau_min};
    double least = std::numeric_limits<double>::max();
    for (int k = 0; k < 7; ++k)
        for (const double spread : {-9.0, -6.0, -3.0, 0.0, 6.0}) {
            const Shape shape{by_step + spread, tau_min + (tau_max - tau_min) * k / 6.0};
            if (const double value = cost(shape); value < least) least = value, best = shape;
        }
    double reach_spread = 1.5, reach_tau = (tau_max - tau_min) / 12.0;
    for (int i = 0; i < kRefinements && std::max(reach_spread, reach_tau) > 0.05; ++i) {
        const Shape around[] = {{best.log_spread - reach_spread, best.log_tau},
                                {best.log_spread + reach_spread, best.log_tau},
                                {best.log_spread, best.log_tau - reach_tau},
                                {best.log_spread, best.log_tau + reach_tau}};
        bool is_better = false;
        for (Shape shape : around) {
            shape.log_spread = std::clamp(shape.log_spread, by_step - 25.0, by_step + 25.0);
            shape.log_tau = std::clamp(shape.log_tau, tau_min, tau_max);
            if (const double value = cost(shape); value < least) least = value, best = shape, is_better = true;
        }
        if (!is_better) reach_spread *= 0.5, reach_tau *= 0.5;
    }
    if (white.cost <= least + 2.0) return {std::sqrt(white.variance), 0.0, 0.0};  // two parameters must earn their keep
    const double variance = likelihood(best.share(), best.tau_s(), time_s, fit, prior).variance;
    return {std::sqrt(variance * (1.0 - best.share())), std::sqrt(variance * best.share()), best.tau_s()};
}

void whiten(const NoiseModel& noise, std::span<const double> time_s, ResidualsAndSlopes& fit) {
    const double deviation = noise.deviation_rad();
    fit /= deviation;
    if (noise.wander_rad > 0.0)
        whiten_shape(noise.wander_rad * noise.wander_rad / (deviation * deviation), noise.tau_s, time_s, fit);
}

}  // namespace topple::solver
