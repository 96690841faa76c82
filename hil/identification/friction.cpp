#include "hil/identification/friction.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace topple::hil::identification {

std::optional<FrictionEstimate> friction_of(std::span<const StrokeForce> strokes) {
    constexpr Eigen::Index kUnknowns = 3, kFewest = 5;
    const auto count = static_cast<Eigen::Index>(strokes.size());
    if (count < kFewest) return std::nullopt;
    Eigen::MatrixXd design(count, kUnknowns);
    Eigen::VectorXd force(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const StrokeForce& stroke = strokes[static_cast<std::size_t>(i)];
        design.row(i) << 1.0, std::copysign(1.0, stroke.velocity_m_s), stroke.velocity_m_s;
        force(i) = stroke.force_n;
    }
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(design);
    if (qr.rank() < kUnknowns) return std::nullopt;
    const Eigen::VectorXd found = qr.solve(force);
    const double squares = (force - design * found).squaredNorm();
    const double variance = squares / static_cast<double>(count - kUnknowns);
    const Eigen::MatrixXd covariance = variance * (design.transpose() * design).inverse();
    const auto estimate = [&](Eigen::Index i) { return Estimate{found(i), std::sqrt(covariance(i, i))}; };
    return FrictionEstimate{estimate(1), estimate(2), estimate(0), std::sqrt(squares / static_cast<double>(count))};
}

}  // namespace topple::hil::identification
