#include "hil/identification/least_squares.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace topple::hil::identification {
namespace {

using Residuals = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

Eigen::MatrixXd jacobian(const Residuals& residuals, const Eigen::VectorXd& at, Eigen::Index rows) {
    constexpr double kStep = 1e-6;
    Eigen::MatrixXd result(rows, at.size());
    for (Eigen::Index k = 0; k < at.size(); ++k) {
        Eigen::VectorXd up = at, down = at;
        const double step = kStep * std::max(1.0, std::abs(at(k)));
        up(k) += step;
        down(k) -= step;
        result.col(k) = (residuals(up) - residuals(down)) / (2.0 * step);
    }
    return result;
}

}  // namespace

LeastSquares least_squares(const Residuals& residuals, const Eigen::VectorXd& start) {
    constexpr int kStepsMax = 100;
    constexpr double kGain = 1e-10, kDampingMax = 1e12;
    LeastSquares found{start, 0.0, {}, false};
    Eigen::VectorXd left = residuals(start);
    found.squares = left.squaredNorm();
    double damping = 1e-3;
    for (int i = 0; i < kStepsMax && !found.converged && damping < kDampingMax; ++i) {
        const Eigen::MatrixXd j = jacobian(residuals, found.unknowns, left.size());
        const Eigen::MatrixXd normal = j.transpose() * j;
        const Eigen::VectorXd slope = j.transpose() * left;
        for (; damping < kDampingMax; damping *= 10.0) {
            Eigen::MatrixXd damped = normal;
            damped.diagonal() *= 1.0 + damping;
            const Eigen::VectorXd next = found.unknowns - damped.ldlt().solve(slope);
            const Eigen::VectorXd left_there = residuals(next);
            const double squares = left_there.squaredNorm();
            if (!(squares <= found.squares)) continue;
            found.converged = found.squares - squares <= kGain * found.squares;
            found.unknowns = next;
            found.squares = squares;
            left = left_there;
            damping = std::max(1e-12, 0.1 * damping);
            break;
        }
    }
    const Eigen::MatrixXd j = jacobian(residuals, found.unknowns, left.size());
    const Eigen::FullPivLU<Eigen::MatrixXd> normal(j.transpose() * j);
    const auto freedom = static_cast<double>(std::max<Eigen::Index>(1, left.size() - start.size()));
    found.covariance = std::max(1.0, found.squares / freedom) * normal.inverse();
    found.converged = found.converged && normal.isInvertible() && found.covariance.allFinite();
    return found;
}

}  // namespace topple::hil::identification
