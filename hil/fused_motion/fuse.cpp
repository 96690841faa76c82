#include "hil/fused_motion/fuse.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace topple::hil::fused_motion {
namespace {

using signal::EvenGrid;
using signal::Samples;

constexpr double kKnot_rad = 0.25;  // of the crossover's wave between two knots: the spline bends more finely than it
constexpr std::size_t kFewest = 4;  // displacements
constexpr std::size_t kCoefficients = 4;  // of a cubic B-spline at any place

/// The calibrated acceleration and its integrals from rest at the start of the grid, exact for straight lines.
struct Integrated {
    std::vector<double> acceleration_m_s2, velocity_m_s, displacement_m;
};

Integrated integrate(std::vector<double> acceleration_m_s2, double step_s) {
    Integrated path{std::move(acceleration_m_s2), {0.0}, {0.0}};
    for (std::size_t i = 1; i < path.acceleration_m_s2.size(); ++i) {
        const double a0 = path.acceleration_m_s2[i - 1], a1 = path.acceleration_m_s2[i];
        path.displacement_m.push_back(path.displacement_m.back() + step_s * path.velocity_m_s.back() +
                                      step_s * step_s * (2.0 * a0 + a1) / 6.0);
        path.velocity_m_s.push_back(path.velocity_m_s.back() + 0.5 * step_s * (a0 + a1));
    }
    return path;
}

double displacement_at(const Integrated& path, const EvenGrid& grid, double time_s) {
    const double place = std::clamp((time_s - grid.start_s) / grid.step_s, 0.0, static_cast<double>(grid.count - 1));
    const std::size_t i = std::min(static_cast<std::size_t>(place), grid.count - 2);
    const double s = (place - static_cast<double>(i)) * grid.step_s;
    const double a0 = path.acceleration_m_s2[i], jerk = (path.acceleration_m_s2[i + 1] - a0) / grid.step_s;
    return path.displacement_m[i] + s * (path.velocity_m_s[i] + s * (a0 / 2.0 + s * jerk / 6.0));
}

/// A cubic spline of even knots, by its coefficients.
class Correction {
  public:
    Correction(const EvenGrid& grid, double crossover_rad_s)
        : start_s_(grid.start_s),
          intervals_(intervals(grid, crossover_rad_s)),
          knot_s_((grid.end_s() - grid.start_s) / static_cast<double>(intervals_)),
          coefficients_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(intervals_ + 3))) {}

    /// Least squares to `value` at times of the grid: Sum spacing (value - spline)^2 + integral spline''^2/crossover^4.
    void fit(const Samples& samples, double crossover_rad_s) {
        const std::size_t size = intervals_ + 3;
        std::array<std::vector<double>, kCoefficients>
            band;  // of the symmetric matrix, by the distance to its diagonal
        for (auto& diagonal : band) diagonal.assign(size, 0.0);
        Eigen::VectorXd right = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(size));
        const auto add = [&](std::size_t first, std::span<const double> row, double weight) {
            for (std::size_t i = 0; i < row.size(); ++i)
                for (std::size_t j = i; j < row.size(); ++j) band[j - i][first + i] += weight * row[i] * row[j];
        };
        for (std::size_t n = 0; n < samples.time_s.size(); ++n) {
            const auto [first, row] = row_at(samples.time_s[n], 0);
            const double weight = spacing_s(samples.time_s, n);
            add(first, row, weight);
            for (std::size_t i = 0; i < row.size(); ++i)
                right[static_cast<Eigen::Index>(first + i)] += weight * row[i] * samples.value[n];
        }
        const std::array<double, 3> bend{1.0, -2.0, 1.0};
        for (std::size_t j = 0; j + 2 < size; ++j) add(j, bend, knot_s_ / std::pow(crossover_rad_s * knot_s_, 4));
        solve(band, right);
    }

    /// Value, slope or bend (derivative 0, 1, 2).
    double at(double time_s, int derivative) const {
        const auto [first, row] = row_at(time_s, derivative);
        double sum = 0.0;
        for (std::size_t i = 0; i < row.size(); ++i)
            sum += row[i] * coefficients_[static_cast<Eigen::Index>(first + i)];
        return sum;
    }

  private:
    /// Knots no closer than the grid, whose straight lines could not follow the bends between them.
    static std::size_t intervals(const EvenGrid& grid, double crossover_rad_s) {
        const double wanted = std::ceil((grid.end_s() - grid.start_s) * crossover_rad_s / kKnot_rad);
        return std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, std::max<std::size_t>(1, grid.count - 1));
    }

    struct Row {
        std::size_t first;
        std::array<double, kCoefficients> share;
    };

    Row row_at(double time_s, int derivative) const {
        const double place = std::clamp((time_s - start_s_) / knot_s_, 0.0, static_cast<double>(intervals_));
        const std::size_t first = std::min(static_cast<std::size_t>(place), intervals_ - 1);
        const double u = place - static_cast<double>(first), v = 1.0 - u;
        if (derivative == 1) {
            const double scale = 0.5 / knot_s_;
            return {first,
                    {-scale * v * v, scale * (3.0 * u * u - 4.0 * u), scale * (1.0 + 2.0 * u - 3.0 * u * u),
                     scale * u * u}};
        }
        if (derivative == 2) {
            const double scale = 1.0 / (knot_s_ * knot_s_);
            return {first, {scale * v, scale * (3.0 * u - 2.0), scale * (1.0 - 3.0 * u), scale * u}};
        }
        return {first,
                {v * v * v / 6.0, (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0,
                 (3.0 * v * v * v - 6.0 * v * v + 4.0) / 6.0, u * u * u / 6.0}};
    }

    static double spacing_s(const std::vector<double>& times_s, std::size_t n) {
        const double before = times_s[n == 0 ? 0 : n - 1], after = times_s[std::min(n + 1, times_s.size() - 1)];
        return 0.5 * (after - before);
    }

    void solve(const std::array<std::vector<double>, kCoefficients>& band, const Eigen::VectorXd& right) {
        std::vector<Eigen::Triplet<double>> entries;
        for (std::size_t distance = 0; distance < band.size(); ++distance)
            for (std::size_t i = 0; i + distance < band[distance].size(); ++i)
                entries.emplace_back(static_cast<int>(i + distance), static_cast<int>(i), band[distance][i]);
        Eigen::SparseMatrix<double> matrix(right.size(), right.size());
        matrix.setFromTriplets(entries.begin(), entries.end());
        Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> solver(matrix);
        coefficients_ = solver.solve(right);
    }

    double start_s_;
    std::size_t intervals_;
    double knot_s_;
    Eigen::VectorXd coefficients_;
};

std::vector<double> calibrated_on(const MeasuredMotion& measured, const Calibration& c, const EvenGrid& grid) {
    EvenGrid late = grid;
    late.start_s += c.shift_s;
    std::vector<double> values = signal::resample_linear(measured.acceleration, late);
    for (double& value : values) value = c.signed_gain() * (value - c.bias_reading);
    return values;
}

/// What the double integral of the acceleration leaves of the displacement, at its own times within the grid.
Samples left_of(const Samples& displacement, const Integrated& path, const EvenGrid& grid) {
    Samples left;
    for (std::size_t i = 0; i < displacement.time_s.size(); ++i) {
        const double time_s = displacement.time_s[i];
        if (time_s < grid.start_s || time_s > grid.end_s()) continue;
        left.time_s.push_back(time_s);
        left.value.push_back(displacement.value[i] - displacement_at(path, grid, time_s));
    }
    if (left.time_s.size() < kFewest)
        throw std::invalid_argument(fmt::format("{} displacements between {:.3f} and {:.3f} s; at least {} are needed",
                                                left.time_s.size(), grid.start_s, grid.end_s(), kFewest));
    return left;
}

}  // namespace

FusedMotion fuse(const MeasuredMotion& measured, const Calibration& calibration, const EvenGrid& grid) {
    if (grid.count < 2) throw std::invalid_argument("displacement and acceleration do not overlap in time");
    const double crossover_rad_s = 2.0 * std::numbers::pi * calibration.crossover_hz;
    Integrated path = integrate(calibrated_on(measured, calibration, grid), grid.step_s);
    const Samples left = left_of(measured.displacement, path, grid);
    Correction correction(grid, crossover_rad_s);
    correction.fit(left, crossover_rad_s);
    double square = 0.0;
    for (std::size_t i = 0; i < left.time_s.size(); ++i)
        square += std::pow(left.value[i] - correction.at(left.time_s[i], 0), 2);
    for (std::size_t i = 0; i < grid.count; ++i) {
        path.displacement_m[i] += correction.at(grid.time_s(i), 0);
        path.velocity_m_s[i] += correction.at(grid.time_s(i), 1);
        path.acceleration_m_s2[i] += correction.at(grid.time_s(i), 2);
    }
    return {grid, std::move(path.displacement_m), std::move(path.velocity_m_s), std::move(path.acceleration_m_s2),
            std::sqrt(square / static_cast<double>(left.time_s.size()))};
}

EvenGrid common_grid(const MeasuredMotion& measured, double shift_s) {
    const Samples& a = measured.acceleration;
    const Samples& d = measured.displacement;
    if (a.time_s.size() < 2 || d.time_s.empty()) return {};
    const double step_s = signal::typical_step_s(a.time_s);
    const double from_s = std::max(a.time_s.front() - shift_s, d.time_s.front());
    const double to_s = std::min(a.time_s.back() - shift_s, d.time_s.back());
    if (!(to_s > from_s)) return {};
    constexpr double kRounding_ratio = 1e-6;
    return {from_s, step_s, static_cast<std::size_t>((to_s - from_s) / step_s + kRounding_ratio) + 1};
}

std::vector<Variant> variants(const MeasuredMotion& measured, const Calibration& calibration, const EvenGrid& grid) {
    std::vector<Variant> result;
    const auto add = [&](const char* name, const Calibration& varied) {
        result.push_back({name, fuse(measured, varied, grid).acceleration_m_s2});
    };
    for (const int side : {-1, 1}) {
        Calibration varied = calibration;
        varied.gain += side * kVariedBy_sigmas * calibration.gain_error_m_s2_per_reading;
        add(side < 0 ? "gain_low" : "gain_high", varied);
    }
    for (const int side : {-1, 1}) {
        Calibration varied = calibration;
        varied.bias_reading += side * kVariedBy_sigmas * calibration.bias_error_reading;
        add(side < 0 ? "bias_low" : "bias_high", varied);
    }
    for (const int side : {-1, 1}) {
        Calibration varied = calibration;
        varied.shift_s += side * kVariedBy_sigmas * calibration.shift_error_s;
        if (std::isfinite(varied.shift_s)) add(side < 0 ? "shift_low" : "shift_high", varied);
    }
    for (const double factor : {1.0 / kCrossoverVaried_factor, kCrossoverVaried_factor}) {
        Calibration varied = calibration;
        varied.crossover_hz *= factor;
        add(factor < 1.0 ? "crossover_half" : "crossover_double", varied);
    }
    result.push_back({"as_given", signal::resample_linear(measured.acceleration, grid)});
    return result;
}

}  // namespace topple::hil::fused_motion
