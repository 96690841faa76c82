// Explicit Runge-Kutta step of order 8 with error estimate and continuous extension of order 7.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/numerics/dop853_coefficients.hpp"
#include "solver/numerics/state.hpp"

namespace topple::solver {

/// One step of the pair DOP853 for q'' = f(t, q, q'). No memory is taken, nothing is kept between
/// steps. Acceleration is a callable Row<N>(double time_s, const State<N>&).
template <int N>
class Dop853 {
  public:
    /// Computes `end` at from.time_s + step_s. Returns the error in units of the tolerance (accept if <= 1).
    template <class Acceleration>
    double attempt(Acceleration& f, const StepEnd<N>& from, double step_s, int n, const StepTolerance& tolerance,
                   StepEnd<N>& end) noexcept {
        n_ = n;
        step_ = step_s;
        start_ = from;
        rate_[0] = from.state.q_rate;
        acceleration_[0] = from.acceleration;
        stages<1>(f, std::make_integer_sequence<int, dop853::kStages - 1>{});
        end.time_s = from.time_s + step_s;
        end.state = combined<dop853::kStages>();
        rate_[dop853::kStages] = end.state.q_rate;
        acceleration_[dop853::kStages] = f(end.time_s, end.state);
        end.acceleration = acceleration_[dop853::kStages];
        end_ = end.state;
        return error(end, tolerance);
    }

    /// Stages that only interpolate() needs; call once after an accepted attempt.
    template <class Acceleration>
    void prepare_dense(Acceleration& f) noexcept {
        stages<dop853::kStages + 1>(f, std::make_integer_sequence<int, 3>{});
        for (int i = 0; i < n_; ++i) {
            coefficients(start_.state.q[i], end_.q[i], rate_, i, q_dense_);
            coefficients(start_.state.q_rate[i], end_.q_rate[i], acceleration_, i, rate_dense_);
        }
    }

    /// State at from.time_s + sigma * step_s, 0 <= sigma <= 1.
    template <class Acceleration>
    State<N> interpolate(Acceleration&, double sigma) const noexcept {
        State<N> state;
        for (int i = 0; i < n_; ++i) {
            state.q[i] = start_.state.q[i] + evaluate(q_dense_, i, sigma);
            state.q_rate[i] = start_.state.q_rate[i] + evaluate(rate_dense_, i, sigma);
        }
        return state;
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
    State<N> combined() const noexcept {
        constexpr auto before = std::make_integer_sequence<int, S>{};
        State<N> state;
        for (int i = 0; i < n_; ++i) {
            state.q[i] = start_.state.q[i] + step_ * weighted<S>(rate_, i, before);
            state.q_rate[i] = start_.state.q_rate[i] + step_ * weighted<S>(acceleration_, i, before);
        }
        return state;
    }
    template <int S, class Acceleration>
    void stage(Acceleration& f) noexcept {
        const State<N> state = combined<S>();
        rate_[S] = state.q_rate;
        acceleration_[S] = f(start_.time_s + dop853::kNode[S] * step_, state);
    }
    template <int First, class Acceleration, int... K>
    void stages(Acceleration& f, std::integer_sequence<int, K...>) noexcept {
        (stage<First + K>(f), ...);
    }

    double error(const StepEnd<N>& end, const StepTolerance& tolerance) const noexcept {
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
            const double q = std::max(std::abs(start_.state.q[i]), std::abs(end.state.q[i]));
            const double q_rate = std::max(std::abs(start_.state.q_rate[i]), std::abs(end.state.q_rate[i]));
            add(rate_, i, tolerance.q + tolerance.relative * q);
            add(acceleration_, i, tolerance.q_rate + tolerance.relative * q_rate);
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
    State<N> end_;
    std::array<Row<N>, dop853::kDenseStages> rate_{}, acceleration_{};
    Coefficients q_dense_{}, rate_dense_{};
};

}  // namespace topple::solver
