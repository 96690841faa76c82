// What weighted draws say of each parameter, and of all together as one normal distribution. Pure arithmetic.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

#include "solver/study/uncertainty.hpp"

namespace topple::hil::learn {

/// A parameter whose deviation shrinks by less than this, and whose mean moves by less than kMovedMin prior deviations,
/// was not taught.
inline constexpr double kShrunkMax_ratio = 0.9;
inline constexpr double kMovedMin = 0.25;

/// Of one departure: a factor less 1, or what is added in its unit.
struct Marginal {
    double mean = 0.0, deviation = 0.0;
    double low = 0.0, high = 0.0;  ///< 5 and 95 %
    double prior_low = 0.0, prior_high = 0.0;
    bool is_informative = false;
    std::vector<double> curve_at, curve;  ///< posterior density for a figure
};

/// `departures`: at every draw. Weights of posterior and prior, each with the sum 1.
Marginal marginal_of(const Eigen::VectorXd& departures, const Eigen::VectorXd& weights,
                     const Eigen::VectorXd& prior_weights);

/// A normal distribution in as many dimensions as there are columns of departures.
struct NormalPosterior {
    std::vector<solver::Distribution> of;
    Eigen::MatrixXd correlation;  ///< positive definite
};

/// Does a factor of this prior and posterior deviation come near 0, so that its logarithm is what is normal?
bool is_logarithmic(const solver::Distribution& prior, double deviation) noexcept;

/// `as_logarithm`: of each column, lognormal instead of normal.
NormalPosterior normal_posterior(const Eigen::MatrixXd& departures, const std::vector<bool>& as_logarithm,
                                 const Eigen::VectorXd& weights);

/// One panel of the figure of marginals.
struct MarginalPanel {
    std::string label;  ///< of the axis
    solver::Distribution prior;
    const Marginal* marginal = nullptr;
    bool is_one_sided = false;  ///< the size of a draw about 0
};
/// Prior and posterior density of every parameter, one below the other. Throws OutputError.
void draw_marginals(const std::vector<MarginalPanel>& panels, const std::filesystem::path& figure);

}  // namespace topple::hil::learn
