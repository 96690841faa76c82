#include "hil/compare/rocking_lobes.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace topple::hil::compare {
namespace {

using signal::EvenGrid;

constexpr double kPeakPart_ratio = 0.7;
constexpr std::size_t kLobesMin = 5;
constexpr double kPeakError_rad = 2e-4;  // typical error of a peak, for the weights only
constexpr double kModelError_ratio = 2e-3;

// Vertex of the least-squares parabola through the samples near the largest one; the sample itself where that
// fails.
double peak_of(const EvenGrid& grid, std::span<const double> rotation, std::size_t first, std::size_t last) {
    std::size_t top = first;
    for (std::size_t i = first; i <= last; ++i)
        if (std::abs(rotation[i]) > std::abs(rotation[top])) top = i;
    std::size_t low = top, high = top;
    while (low > first && std::abs(rotation[low - 1]) > kPeakPart_ratio * std::abs(rotation[top])) --low;
    while (high < last && std::abs(rotation[high + 1]) > kPeakPart_ratio * std::abs(rotation[top])) ++high;
    if (high - low < 4) return rotation[top];
    const auto count = static_cast<Eigen::Index>(high - low + 1);
    const double half = 0.5 * grid.step_s * static_cast<double>(high - low);
    Eigen::MatrixX3d base(count, 3);
    Eigen::VectorXd value(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const double u = (grid.step_s * static_cast<double>(i) - half) / half;
        base.row(i) << 1.0, u, u * u;
        value[i] = rotation[low + static_cast<std::size_t>(i)];
    }
    const Eigen::Vector3d c = (base.transpose() * base).ldlt().solve(base.transpose() * value);
    if (c[2] * rotation[top] >= 0.0) return rotation[top];
    return c[0] - c[1] * c[1] / (4.0 * c[2]);
}

// Zero crossing between the two samples.
double crossing_s(const EvenGrid& grid, std::span<const double> rotation, std::size_t before, std::size_t after) {
    for (std::size_t i = before; i < after; ++i)
        if (rotation[i] * rotation[after] <= 0.0 && rotation[i + 1] * rotation[after] > 0.0)
            return grid.time_s(i) + grid.step_s * rotation[i] / (rotation[i] - rotation[i + 1]);
    return grid.time_s(after);
}

double energy(double peak_rad, const Slenderness& alpha) {
    const double a = peak_rad > 0.0 ? alpha.right_rad : alpha.left_rad;
    return std::cos(a - std::abs(peak_rad)) - std::cos(a);
}

double energy_error_ratio(double peak_rad, const Slenderness& alpha) {
    const double a = peak_rad > 0.0 ? alpha.right_rad : alpha.left_rad;
    return std::hypot(kModelError_ratio,
                      kPeakError_rad * std::abs(std::sin(a - std::abs(peak_rad))) / energy(peak_rad, alpha));
}

}  // namespace

std::vector<RockingLobe> find_lobes(const EvenGrid& grid, std::span<const double> rotation, double threshold_rad,
                                    double start_s) {
    std::vector<RockingLobe> lobes;
    const double noticeable_rad = 0.5 * threshold_rad;
    int side = 0;
    std::size_t first = 0, last = 0;  // samples of the open excursion that are noticeable
    double opened_s = start_s;
    const auto close = [&](double end_s, bool complete) {
        if (side == 0) return;
        const double peak_rad = peak_of(grid, rotation, first, last);
        if (std::abs(peak_rad) >= threshold_rad) lobes.push_back({opened_s, end_s, peak_rad, complete});
    };
    for (std::size_t i = 0; i < std::min(grid.count, rotation.size()); ++i) {
        if (grid.time_s(i) < start_s || std::abs(rotation[i]) < noticeable_rad) continue;
        const int here = rotation[i] > 0.0 ? 1 : -1;
        if (here != side) {
            const double crossed_s = side == 0 ? grid.time_s(i) : crossing_s(grid, rotation, last, i);
            close(crossed_s, true);
            side = here;
            first = i;
            opened_s = crossed_s;
        }
        last = i;
    }
    close(grid.time_s(last), false);
    return lobes;
}

std::vector<double> impact_times_s(const std::vector<RockingLobe>& lobes) {
    std::vector<double> times;
    for (const RockingLobe& lobe : lobes)
        if (lobe.complete) times.push_back(lobe.end_s);
    return times;
}

std::optional<ApparentRestitution> apparent_restitution(const std::vector<RockingLobe>& lobes, const Slenderness& alpha,
                                                        double free_from_s, double smallest_rad) {
    std::vector<double> peaks;
    for (const RockingLobe& lobe : lobes) {
        if (lobe.start_s < free_from_s) continue;
        const double a = lobe.peak_rad > 0.0 ? alpha.right_rad : alpha.left_rad;
        if (!lobe.complete || std::abs(lobe.peak_rad) < smallest_rad || std::abs(lobe.peak_rad) >= a) break;
        peaks.push_back(lobe.peak_rad);
    }
    if (peaks.size() < kLobesMin) return std::nullopt;
    const auto count = static_cast<Eigen::Index>(peaks.size());
    Eigen::MatrixX3d base(count, 3);
    Eigen::VectorXd value(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const double peak_rad = peaks[static_cast<std::size_t>(i)];
        const double weight = 1.0 / energy_error_ratio(peak_rad, alpha);
        base.row(i) << weight, weight * static_cast<double>(i), weight * (i % 2 == 0 ? 1.0 : -1.0);
        value[i] = weight * std::log(energy(peak_rad, alpha));
    }
    const Eigen::Matrix3d covariance = (base.transpose() * base).inverse();
    const Eigen::Vector3d fitted = covariance * (base.transpose() * value);
    const double scatter = (value - base * fitted).squaredNorm() / static_cast<double>(count - 3);
    const double ratio = std::exp(0.5 * fitted[1]);
    return ApparentRestitution{ratio, 0.5 * ratio * std::sqrt(scatter * covariance(1, 1)), peaks.size()};
}

}  // namespace topple::hil::compare
