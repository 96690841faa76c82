// Nonlinear least squares for a handful of unknowns: Levenberg-Marquardt with differences for the derivatives.
#pragma once

#include <Eigen/Core>
#include <functional>

namespace topple::hil::identification {

struct LeastSquares {
    Eigen::VectorXd unknowns;
    double squares = 0.0;        ///< sum of the squared residuals
    Eigen::MatrixXd covariance;  ///< of the unknowns for residuals of unit variance, times max(1, squares / freedom)
    bool converged = false;      ///< the last step gained less than 1e-10 of the sum, and the unknowns are told apart
};

/// Minimises |residuals(unknowns)|^2 from `start`; the unknowns should be of order 1. A step into residuals that are
/// not finite is taken back. At most 100 steps. Marquardt, J. SIAM 11 (1963) 431.
LeastSquares least_squares(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& residuals,
                           const Eigen::VectorXd& start);

}  // namespace topple::hil::identification
