// Small vectors of fixed room: generalised coordinates, their rates, and the linear systems between them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace topple::solver {

template <int N>
using Row = std::array<double, static_cast<std::size_t>(N)>;
template <int N>
using Matrix = std::array<Row<N>, static_cast<std::size_t>(N)>;

/// Generalised coordinates and their rates. Which they are, and their units, says the law that uses them.
template <int N>
struct State {
    Row<N> q{};
    Row<N> q_rate{};
};

template <int N>
bool is_finite(const State<N>& state, int n) noexcept {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += std::abs(state.q[i]) + std::abs(state.q_rate[i]);
    return std::isfinite(sum);
}

/// Where a step starts or ends: state and its accelerations.
template <int N>
struct StepEnd {
    double time_s = 0.0;
    State<N> state;
    Row<N> acceleration{};
};

/// Errors of a step that count as 1: `q` and `q_rate` in the units of each, plus `relative` of the value.
struct StepTolerance {
    double q = 0.0, q_rate = 0.0, relative = 0.0;
};

/// Solve the rows and columns `index` of a symmetric positive definite system; other entries of the result
/// are 0. Gauss elimination without row exchange: a mirrored system gives the mirrored result bit by bit.
template <int N>
Row<N> solve_reduced(const Matrix<N>& full, const Row<N>& right,
                     const std::array<int, static_cast<std::size_t>(N)>& index, int size) noexcept {
    Row<N> result{};
    if (size == 1) {
        result[index[0]] = right[index[0]] / full[index[0]][index[0]];
        return result;
    }
    Matrix<N> m{};
    Row<N> b{};
    for (int i = 0; i < size; ++i) {
        b[i] = right[index[i]];
        for (int j = 0; j < size; ++j) m[i][j] = full[index[i]][index[j]];
    }
    for (int i = 0; i < size; ++i) {
        for (int j = i + 1; j < size; ++j) {
            const double factor = m[j][i] / m[i][i];
            for (int l = i + 1; l < size; ++l) m[j][l] -= factor * m[i][l];
            b[j] -= factor * b[i];
        }
    }
    for (int i = size - 1; i >= 0; --i) {
        for (int j = i + 1; j < size; ++j) b[i] -= m[i][j] * b[j];
        b[i] /= m[i][i];
        result[index[i]] = b[i];
    }
    return result;
}

}  // namespace topple::solver
