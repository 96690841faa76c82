// What the residuals of a fit say about their own noise: white, or wandering slowly.
#pragma once

#include <Eigen/Core>
#include <span>

namespace topple::solver {

/// White noise plus a slow wander (Ornstein-Uhlenbeck): autocovariance white^2 [lag = 0] + wander^2 exp(-|lag|/tau).
/// Any sampling, gaps allowed. A drift of the sensor is a wander with a long tau, filtered or quantised noise one
/// with a short tau.
struct NoiseModel {
    double white_rad = 0.0;   ///< standard deviation, >= 0
    double wander_rad = 0.0;  ///< standard deviation, >= 0
    double tau_s = 0.0;       ///< correlation time of the wander, > 0 if there is any

    double deviation_rad() const noexcept;  ///< of one sample
};

/// Columns: samples. Row 0: residuals of a fit; the other rows: their derivatives by the adjusted parameters.
using ResidualsAndSlopes = Eigen::MatrixXd;

/// Most likely model by restricted likelihood: what the fit has adjusted away counts as lost, so that few excursions
/// do not look like little noise. Times increase, as many as columns, at least 4 more than rows.
/// `prior`: inverse covariance of the parameters known beforehand.
NoiseModel fit_noise(std::span<const double> time_s, const ResidualsAndSlopes& fit, const Eigen::MatrixXd& prior);

/// Makes noise of this model white with variance 1: prediction errors of a Kalman filter, each row by itself.
/// Linear, so that least squares on whitened residuals and derivatives is generalised least squares.
/// The model must have a deviation > 0.
void whiten(const NoiseModel& noise, std::span<const double> time_s, ResidualsAndSlopes& fit);

}  // namespace topple::solver
