// Step so short that the accelerations are a polynomial of low degree over it; the path is known all along.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/numerics/state.hpp"

namespace topple::solver {

/// One step for q'' = f(t, q, q'). The accelerations are the polynomial of degree four through those at the start
/// and the four quarters of the step; rates and rotations are its integrals. Five evaluations: each quarter is
/// predicted from the ones before it; the first, before which only the start is known, twice. For the hops of
/// chattering faces, over which a step of order 8 has nothing to gain.
template <int N>
class ShortStep {
  public:
    /// Computes `end` at from.time_s + step_s. Returns the error in units of the tolerance (accept if <= 1): all that
    /// the last term of the polynomial contributes counts as error. Acceleration is a callable as for Dop853.
    template <class Acceleration>
    double attempt(Acceleration& f, const StepEnd<N>& from, double step_s, int n, const StepTolerance& tolerance,
                   StepEnd<N>& end) noexcept {
        n_ = n;
        quarter_s_ = step_s / kDegree;
        start_ = from.state;
        std::array<Row<N>, kDegree + 1> acceleration{from.acceleration};
        fit<0>(acceleration);
        const auto evaluate = [&](int quarter) {
            acceleration[quarter] = f(from.time_s + quarter * quarter_s_, at(quarter));
        };
        evaluate(1), fit<1>(acceleration);
        evaluate(2), fit<2>(acceleration);
        evaluate(3), fit<3>(acceleration);
        evaluate(4), fit<4>(acceleration);
        evaluate(1), fit<4>(acceleration);
        end.time_s = from.time_s + step_s;
        end.state = at(kDegree);
        end.acceleration = acceleration[kDegree];
        double error = 0.0;
        for (int i = 0; i < n; ++i) {
            const double missed = kLastTerm * quarter_s_ * std::abs(24.0 * term_[4][i]);
            const double q_rate = tolerance.q_rate + tolerance.relative * std::abs(start_.q_rate[i]);
            const double q = tolerance.q + tolerance.relative * std::abs(start_.q[i]);
            error = std::max({error, missed / q_rate, step_s * missed / q});
        }
        return error;
    }

    template <class Acceleration>
    void prepare_dense(Acceleration&) const noexcept {}

    /// State at from.time_s + sigma * step_s, 0 <= sigma <= 1.
    template <class Acceleration>
    State<N> interpolate(Acceleration&, double sigma) const noexcept {
        return at(kDegree * sigma);
    }

  private:
    static constexpr int kDegree = 4;
    static constexpr double kLastTerm = 14.0 / 45.0;  // integral of x (x-1) (x-2) (x-3) / 24 over 0..4, its largest

    /// The polynomial through the first M + 1 accelerations, by its powers of x = time in quarters (Newton's forward
    /// differences); higher powers 0.
    template <int M>
    void fit(const std::array<Row<N>, kDegree + 1>& acceleration) noexcept {
        for (int i = 0; i < n_; ++i) {
            std::array<double, kDegree + 1> d{};
            for (int m = 0; m <= M; ++m) d[m] = acceleration[m][i];
            for (int order = 1; order <= M; ++order)
                for (int m = M; m >= order; --m) d[m] -= d[m - 1];
            term_[0][i] = d[0];
            term_[1][i] = d[1] - d[2] / 2.0 + d[3] / 3.0 - d[4] / 4.0;
            term_[2][i] = d[2] / 2.0 - d[3] / 2.0 + 11.0 / 24.0 * d[4];
            term_[3][i] = d[3] / 6.0 - d[4] / 4.0;
            term_[4][i] = d[4] / 24.0;
        }
    }

    State<N> at(double x) const noexcept {
        const double t = x * quarter_s_;
        State<N> state;
        for (int i = 0; i < n_; ++i) {
            const double a = term_[0][i], b = term_[1][i], c = term_[2][i], d = term_[3][i], e = term_[4][i];
            const double q_rate = start_.q_rate[i];
            state.q_rate[i] =
                q_rate +
                t * (a + x * (1.0 / 2.0 * b + x * (1.0 / 3.0 * c + x * (1.0 / 4.0 * d + x * (1.0 / 5.0 * e)))));
            state.q[i] =
                start_.q[i] +
                t * (q_rate +
                     t * (1.0 / 2.0 * a +
                          x * (1.0 / 6.0 * b + x * (1.0 / 12.0 * c + x * (1.0 / 20.0 * d + x * (1.0 / 30.0 * e))))));
        }
        return state;
    }

    int n_ = 0;
    double quarter_s_ = 0.0;
    State<N> start_;
    std::array<Row<N>, kDegree + 1> term_{};  ///< of the accelerations, by power of x
};

}  // namespace topple::solver
