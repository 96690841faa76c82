// Explicit Runge-Kutta step of order 8 with error estimate and continuous extension of order 7.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/numerics/dop853_coefficients.hpp"
#include "solver/stack/rocking_stack.hpp"

namespace topple::solver {

/// Where a step starts or ends: state and its accelerations.
template <int N>
struct StepEnd {
    double time_s = 0.0;
    Motion<N> motion;
    Row<N> acceleration_rad_s2{};
};

/// One step of the pair DOP853 for phi'' = f(t, phi, phi'). No memory is taken, nothing is kept between
/// steps. Acceleration is a callable Row<N>(double time_s, const Motion<N>&).
template <int N>
class Dop853 {
  public:
    /// `scale`: absolute error allowed in [0] rad and [1] rad/s; relative allowance `relative`.
    struct Tolerance {
        double phi_rad = 0.0, psi_rad_s = 0.0, relative = 0.0;
    };

    /// Computes `end` at from.time_s + step_s. Returns the error in units of the tolerance (accept if <= 1).
    template <class Acceleration>
    double attempt(Acceleration& f, const StepEnd<N>& from, double step_s, int n, const Tolerance& tolerance,
                   StepEnd<N>& end) noexcept {
        n_ = n;
        step_ = step_s;
        start_ = from;
        rate_[0] = from.motion.psi_rad_s;
        acceleration_[0] = from.acceleration_rad_s2;
        stages<1>(f, std::make_integer_sequence<int, dop853::kStages - 1>{});
        end.time_s = from.time_s + step_s;
        end.motion = combined<dop853::kStages>();
        rate_[dop853::kStages] = end.motion.psi_rad_s;
        acceleration_[dop853::kStages] = f(end.time_s, end.motion);
        end.acceleration_rad_s2 = acceleration_[dop853::kStages];
        end_ = end.motion;
        return error(end, tolerance);
    }

    /// Stages that only interpolate() needs; call once after an accepted attempt.
    template <class Acceleration>
    void prepare_dense(Acceleration& f) noexcept {
        stages<dop853::kStages + 1>(f, std::make_integer_sequence<int, 3>{});
        for (int i = 0; i < n_; ++i) {
            coefficients(start_.motion.phi_rad[i], end_.phi_rad[i], rate_, i, phi_dense_);
            coefficients(start_.motion.psi_rad_s[i], end_.psi_rad_s[i], acceleration_, i, psi_dense_);
        }
    }

    /// State at from.time_s + sigma * step_s, 0 <= sigma <= 1.
    template <class Acceleration>
    Motion<N> interpolate(Acceleration&, double sigma) const noexcept {
        Motion<N> motion;
        for (int i = 0; i < n_; ++i) {
            motion.phi_rad[i] = start_.motion.phi_rad[i] + evaluate(phi_dense_, i, sigma);
            motion.psi_rad_s[i] = start_.motion.psi_rad_s[i] + evaluate(psi_dense_, i, sigma);
        }
        return motion;
    }

  private:
    using Coefficients = std::array<Row<N>, 7>;

    template <int S, int J, class Rows>
    static double term(const Rows& rows, int i) noexcept {
        if constexpr (dop853::kWeight[S][J] == 0.0)
            return 0.0;
        else
            return dop853::kWeight[S][J] * rows[J][i];
    }
    template <int S, class Rows, int... J>
    static double weighted(const Rows& rows, int i, std::integer_sequence<int, J...>) noexcept {
        return (term<S, J>(rows, i) + ...);
    }
    template <int S>
    Motion<N> combined() const noexcept {
        constexpr auto before = std::make_integer_sequence<int, S>{};
        Motion<N> motion;
        for (int i = 0; i < n_; ++i) {
            motion.phi_rad[i] = start_.motion.phi_rad[i] + step_ * weighted<S>(rate_, i, before);
            motion.psi_rad_s[i] = start_.motion.psi_rad_s[i] + step_ * weighted<S>(acceleration_, i, before);
        }
        return motion;
    }
    template <int S, class Acceleration>
    void stage(Acceleration& f) noexcept {
        const Motion<N> motion = combined<S>();
        rate_[S] = motion.psi_rad_s;
        acceleration_[S] = f(start_.time_s + dop853::kNode[S] * step_, motion);
    }
    template <int First, class Acceleration, int... K>
    void stages(Acceleration& f, std::integer_sequence<int, K...>) noexcept {
        (stage<First + K>(f), ...);
    }

    double error(const StepEnd<N>& end, const Tolerance& tolerance) const noexcept {
        double fifth = 0.0, third = 0.0;
        const auto add = [&](const auto& rows, int i, double scale) {
            double e5 = 0.0, e3 = 0.0;
            for (int j = 0; j < dop853::kStages; ++j) {
                e5 += dop853::kErrorFifth[j] * rows[j][i];
                e3 += dop853::kErrorThird[j] * rows[j][i];
            }
            fifth += (e5 / scale) * (e5 / scale);
            third += (e3 / scale) * (e3 / scale);
        };
        for (int i = 0; i < n_; ++i) {
            const double phi = std::max(std::abs(start_.motion.phi_rad[i]), std::abs(end.motion.phi_rad[i]));
            const double psi = std::max(std::abs(start_.motion.psi_rad_s[i]), std::abs(end.motion.psi_rad_s[i]));
            add(rate_, i, tolerance.phi_rad + tolerance.relative * phi);
            add(acceleration_, i, tolerance.psi_rad_s + tolerance.relative * psi);
        }
        if (fifth == 0.0 && third == 0.0) return 0.0;
        return step_ * fifth / std::sqrt((fifth + 0.01 * third) * 2.0 * n_);
    }

    void coefficients(double from, double to, const std::array<Row<N>, dop853::kDenseStages>& slope, int i,
                      Coefficients& f) const noexcept {
        const double change = to - from;
        f[0][i] = change;
        f[1][i] = step_ * slope[0][i] - change;
        f[2][i] = 2.0 * change - step_ * (slope[dop853::kStages][i] + slope[0][i]);
        for (int m = 0; m < 4; ++m) {
            double sum = 0.0;
            for (int j = 0; j < dop853::kDenseStages; ++j) sum += dop853::kDense[m][j] * slope[j][i];
            f[3 + m][i] = step_ * sum;
        }
    }
    static double evaluate(const Coefficients& f, int i, double sigma) noexcept {
        const double rest = 1.0 - sigma;
        double y = f[6][i] * sigma;
        y = (y + f[5][i]) * rest;
        y = (y + f[4][i]) * sigma;
        y = (y + f[3][i]) * rest;
        y = (y + f[2][i]) * sigma;
        y = (y + f[1][i]) * rest;
        return (y + f[0][i]) * sigma;
    }

    int n_ = 0;
    double step_ = 0.0;
    StepEnd<N> start_;
    Motion<N> end_;
    std::array<Row<N>, dop853::kDenseStages> rate_{}, acceleration_{};
    Coefficients phi_dense_{}, psi_dense_{};
};

}  // namespace topple::solver
