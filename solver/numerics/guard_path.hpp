// A guard along one step as a polynomial, and where it first falls below zero.
//
// The polynomial of degree 7 goes through the guard's values at eight places, which is exact for the rotations of the
// default method and good to its tolerance for everything that is smooth over a step. In Bernstein form its
// coefficients bound it, so that halving intervals isolates its first fall: a dip between two places is not missed.
// G. Farin, Curves and Surfaces for CAGD, 5th ed., ch. 5 and 6.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "solver/numerics/root_find.hpp"

namespace topple::solver {

inline constexpr int kGuardDegree = 7;
inline constexpr std::size_t kGuardNodeCount = kGuardDegree + 1;
using GuardValues = std::array<double, kGuardNodeCount>;

/// Shares of the step at which a guard is evaluated: Chebyshev's, (1 - cos(i pi / 7)) / 2.
inline constexpr GuardValues kGuardNode = {0.0,
                                           0.049515566048790426,
                                           0.18825509907063323,
                                           0.38873953302184278,
                                           0.61126046697815722,
                                           0.81174490092936677,
                                           0.95048443395120957,
                                           1.0};

/// Falls shallower than this share of the guard's largest coefficient are rounding.
inline constexpr double kGuardNoise = 1e-13;
inline constexpr int kGuardHalvings = 45;  ///< then two roots, or a root and the start of the step, are one

inline constexpr double kGuardHop = 0.1;  ///< share of a step; a hop's own rounding counts below it

namespace guard_path {

using Matrix = std::array<GuardValues, kGuardNodeCount>;

/// Rows: coefficients of the Bernstein polynomials that reproduce values at kGuardNode. Gauss-Jordan.
constexpr Matrix make_from_values() {
    constexpr double kBinomial[kGuardNodeCount] = {1, 7, 21, 35, 35, 21, 7, 1};
    Matrix m{}, inverse{};
    for (std::size_t i = 0; i < kGuardNodeCount; ++i) {
        for (std::size_t j = 0; j < kGuardNodeCount; ++j) {
            m[i][j] = kBinomial[j];
            for (std::size_t k = 0; k < j; ++k) m[i][j] *= kGuardNode[i];
            for (std::size_t k = j; k < kGuardDegree; ++k) m[i][j] *= 1.0 - kGuardNode[i];
        }
        inverse[i][i] = 1.0;
    }
    for (std::size_t c = 0; c < kGuardNodeCount; ++c) {  // totally positive: no exchange of rows needed
        const double pivot = m[c][c];
        for (std::size_t j = 0; j < kGuardNodeCount; ++j) m[c][j] /= pivot, inverse[c][j] /= pivot;
        for (std::size_t i = 0; i < kGuardNodeCount; ++i) {
            const double factor = m[i][c];
            if (i == c || factor == 0.0) continue;
            for (std::size_t j = 0; j < kGuardNodeCount; ++j)
                m[i][j] -= factor * m[c][j], inverse[i][j] -= factor * inverse[c][j];
        }
    }
    return inverse;
}
inline constexpr Matrix kFromValues = make_from_values();

inline GuardValues coefficients(const GuardValues& values) noexcept {
    GuardValues c{};
    for (std::size_t j = 0; j < kGuardNodeCount; ++j)
        for (std::size_t i = 0; i < kGuardNodeCount; ++i) c[i] += kFromValues[i][j] * values[j];
    c.front() = values.front();
    c.back() = values.back();
    return c;
}

/// Part of a step with the polynomial's coefficients on it.
struct Part {
    double left = 0.0, right = 1.0;
    GuardValues c{};

    /// De Casteljau at the middle: this part becomes the second half; the first is returned.
    Part first_half() noexcept {
        Part first{left, 0.5 * (left + right), {}};
        for (std::size_t k = 0; k < kGuardNodeCount; ++k) {
            first.c[k] = c[0];
            for (std::size_t i = 0; i + k < kGuardDegree; ++i) c[i] = 0.5 * (c[i] + c[i + 1]);
        }
        left = first.right;
        return first;
    }
};

/// Searches parts from the left to the right; `Guard`: the guard itself, for the ends of the bracket and its root.
template <class Guard, class Counts>
struct Search {
    Guard& guard;
    Counts& counts;
    double noise;

    std::optional<double> in(Part part, int halvings) const {
        const auto below = [&](double value) { return value < -noise; };
        if (std::none_of(part.c.begin(), part.c.end(), below)) return std::nullopt;
        int changes = 0;
        for (std::size_t i = 0; i < kGuardDegree; ++i) changes += below(part.c[i]) != below(part.c[i + 1]) ? 1 : 0;
        const bool starts_below = below(part.c.front());
        if (starts_below && changes == 1) return std::nullopt;  // it rises
        if (starts_below && changes == 0)                       // and has not risen since the step began
            return counts(part.right) ? std::optional<double>(part.left) : std::nullopt;
        if (changes == 1 || halvings == kGuardHalvings) {
            const double last = guard(part.right);
            if (!(last < 0.0)) return std::nullopt;
            const double first = guard(part.left);
            if (first > 0.0) return find_root(guard, part.left, part.right, first, last, 0.0).after;
            if (halvings == kGuardHalvings) return counts(part.right) ? std::optional<double>(part.left) : std::nullopt;
        }
        const Part first = part.first_half();
        if (const auto found = in(first, halvings + 1)) return found;
        return in(part, halvings + 1);
    }
};

}  // namespace guard_path

/// First share (0..1) of a step at which the guard with these values at kGuardNode falls below zero. A guard that
/// starts at zero or below has fallen, at 0, if it does not rise first and `counts(share)` holds where it is seen
/// below; also if it falls within kGuardHop: such a hop wants a shorter step to be known well.
template <class Guard, class Counts>
std::optional<double> first_fall(const GuardValues& values, Guard&& guard, Counts&& counts) {
    guard_path::Part step{0.0, 1.0, guard_path::coefficients(values)};
    double largest = 0.0;
    for (const double c : step.c) largest = std::max(largest, std::abs(c));
    const double noise = kGuardNoise * largest;
    if (values.front() < -noise && counts(0.0)) return 0.0;
    const auto fall = guard_path::Search<Guard, Counts>{guard, counts, noise}.in(step, 0);
    return fall && values.front() <= 0.0 && *fall < kGuardHop ? 0.0 : fall;
}

}  // namespace topple::solver
