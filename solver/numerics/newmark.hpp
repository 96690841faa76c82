// Newmark's constant average acceleration (beta = 1/4, gamma = 1/2) with Newton iterations, as in the thesis
// (3.57).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/numerics/state.hpp"

namespace topple::solver {

/// One implicit step for q'' = f(t, q, q'). Inside the step the acceleration goes in a straight line between the
/// two that were solved for: no iteration that could fail, and an error of the method's own order. Newton stops at a
/// change of 1e-14 of the acceleration (plus 1e-15 of `acceleration_scale`), or where rounding lets it come
/// no closer and that is below 1e-9; after 20 iterations the step is refused.
template <int N>
class Newmark {
  public:
    /// Computes `end`; returns 0, or infinity if Newton did not converge.
    template <class Acceleration>
    double attempt(Acceleration& f, const StepEnd<N>& from, double step_s, int n, double acceleration_scale,
                   StepEnd<N>& end) noexcept {
        n_ = n;
        scale_ = acceleration_scale;
        step_ = step_s;
        start_ = from;
        if (!solve(f, step_s, end)) return std::numeric_limits<double>::infinity();
        end_acceleration_ = end.acceleration;
        return 0.0;
    }

    template <class Acceleration>
    void prepare_dense(Acceleration&) noexcept {}

    template <class Acceleration>
    State<N> interpolate(Acceleration&, double sigma) const noexcept {
        Row<N> acceleration{};
        for (int i = 0; i < n_; ++i)
            acceleration[i] = start_.acceleration[i] + sigma * (end_acceleration_[i] - start_.acceleration[i]);
        return moved(acceleration, sigma * step_);
    }

  private:
    State<N> moved(const Row<N>& acceleration, double h) const noexcept {
        State<N> state;
        for (int i = 0; i < n_; ++i) {
            const double mean = 0.5 * (start_.acceleration[i] + acceleration[i]);
            state.q[i] = start_.state.q[i] + h * (start_.state.q_rate[i] + 0.5 * h * mean);
            state.q_rate[i] = start_.state.q_rate[i] + h * mean;
        }
        return state;
    }

    template <class Acceleration>
    bool solve(Acceleration& f, double h, StepEnd<N>& end) const noexcept {
        end.time_s = start_.time_s + h;
        Row<N>& acceleration = end.acceleration;
        acceleration = start_.acceleration;
        const Matrix<N> jacobian = iteration_matrix(f, h, acceleration);
        double before = std::numeric_limits<double>::infinity();
        for (int iteration = 0; iteration < 20; ++iteration) {
            const Row<N> value = f(end.time_s, moved(acceleration, h));
            Row<N> residual{};
            for (int i = 0; i < n_; ++i) residual[i] = value[i] - acceleration[i];
            const Row<N> change = newton_change(jacobian, residual);
            double largest = 0.0, size = 0.0, sum = 0.0;
            for (int i = 0; i < n_; ++i) {
                acceleration[i] += change[i];
                largest = std::max(largest, std::abs(change[i]));
                size = std::max(size, std::abs(acceleration[i]));
                sum += std::abs(acceleration[i]);
            }
            if (!std::isfinite(sum)) return false;  // max() does not see what is no number
            const bool stalls = largest >= 0.5 * before && largest <= 1e-9 * size;
            if (stalls || largest <= 1e-14 * size + 1e-15 * scale_) {
                end.state = moved(acceleration, h);
                return true;
            }
            before = largest;
        }
        return false;
    }

    /// 1 - df/da along the Newmark relations, by central differences (a mirrored state gives the mirrored
    /// matrix).
    template <class Acceleration>
    Matrix<N> iteration_matrix(Acceleration& f, double h, const Row<N>& acceleration) const noexcept {
        Matrix<N> jacobian{};
        for (int j = 0; j < n_; ++j) {
            const double nudge = 1e-3 * (1.0 + std::abs(acceleration[j]));
            Row<N> high = acceleration, low = acceleration;
            high[j] += nudge;
            low[j] -= nudge;
            const Row<N> up = f(start_.time_s + h, moved(high, h)), down = f(start_.time_s + h, moved(low, h));
            for (int i = 0; i < n_; ++i) jacobian[i][j] = (i == j ? 1.0 : 0.0) - 0.5 * (up[i] - down[i]) / nudge;
        }
        return jacobian;
    }

    Row<N> newton_change(const Matrix<N>& jacobian, const Row<N>& residual) const noexcept {
        std::array<int, static_cast<std::size_t>(N)> all{};
        for (int i = 0; i < n_; ++i) all[i] = i;
        return solve_reduced<N>(jacobian, residual, all, n_);
    }

    int n_ = 0;
    double step_ = 0.0, scale_ = 0.0;
    StepEnd<N> start_;
    Row<N> end_acceleration_{};
};

}  // namespace topple::solver
