// Equations of motion of a stack of blocks rocking about its pivots, one assembly for every support state.
// Coordinates: q of interface i is the relative rotation phi_i = theta_i - theta_(i-1), rad, clockwise positive.
#pragma once

#include <cmath>

#include "solver/motion/excitation.hpp"
#include "solver/stack/geometry.hpp"

namespace topple::solver {

/// Sines and cosines of a configuration, and the absolute rates.
template <int N>
struct Attitude {
    Row<N> sine{}, cosine{}, rate_rad_s{};                                             ///< of theta_i
    std::array<Row<N>, static_cast<std::size_t>(N)> sine_between{}, cosine_between{};  ///< of theta_j - theta_i, i < j
};

/// Built from relative angles so that nothing is lost near phi = 0.
template <int N>
Attitude<N> attitude(const State<N>& motion, int n) noexcept {
    Attitude<N> a;
    Row<N> sine_own{}, cosine_own{};
    double sine = 0.0, cosine = 1.0, rate = 0.0;
    for (int i = 0; i < n; ++i) {
        const double phi = motion.q[i];
        sine_own[i] = phi == 0.0 ? 0.0 : std::sin(phi);
        cosine_own[i] = phi == 0.0 ? 1.0 : std::cos(phi);
        const double next_sine = sine * cosine_own[i] + cosine * sine_own[i];
        cosine = cosine * cosine_own[i] - sine * sine_own[i];
        sine = next_sine;
        rate += motion.q_rate[i];
        a.sine[i] = sine;
        a.cosine[i] = cosine;
        a.rate_rad_s[i] = rate;
    }
    for (int i = 0; i < n; ++i) {
        double s = 0.0, c = 1.0;
        for (int j = i + 1; j < n; ++j) {
            const double next = s * cosine_own[j] + c * sine_own[j];
            c = c * cosine_own[j] - s * sine_own[j];
            s = next;
            a.sine_between[i][j] = s;
            a.cosine_between[i][j] = c;
        }
    }
    return a;
}

/// Normal of the face that carries block k, upwards.
template <int N>
Vec2 face_normal(const Attitude<N>& a, int k) noexcept {
    return k > 0 ? Vec2{a.sine[k - 1], a.cosine[k - 1]} : Vec2{0.0, 1.0};
}

/// Mass matrix in absolute rotations.
template <int N>
Matrix<N> mass_matrix(const SupportTable<N>& table, const Attitude<N>& a, int n) noexcept {
    Matrix<N> mass{};
    for (int i = 0; i < n; ++i) {
        mass[i][i] = table.diagonal[i];
        for (int j = i + 1; j < n; ++j) {
            mass[i][j] = table.k[i][j] * a.cosine_between[i][j] + table.x[i][j] * a.sine_between[i][j];
            mass[j][i] = mass[i][j];
        }
    }
    return mass;
}

/// Bias r of M theta'' + r = 0: velocity products, gravity and base acceleration.
template <int N>
Row<N> bias(const SupportTable<N>& table, const Attitude<N>& a, const Drive& drive, int n) noexcept {
    Row<N> r{};
    for (int i = 0; i < n; ++i) {
        const Vec2 p = table.p[i];
        r[i] = -drive.vertical_m_s2 * (p.x * a.cosine[i] + p.z * a.sine[i]) +
               drive.horizontal_m_s2 * (p.z * a.cosine[i] - p.x * a.sine[i]);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
            const double q = -table.k[i][j] * a.sine_between[i][j] + table.x[i][j] * a.cosine_between[i][j];
            r[i] += q * a.rate_rad_s[j] * a.rate_rad_s[j];
            r[j] -= q * a.rate_rad_s[i] * a.rate_rad_s[i];
        }
    }
    return r;
}

/// Absolute to relative coordinates: entry k, l becomes the sum over i >= k, j >= l.
template <int N>
void sum_from_above(Matrix<N>& m, int n) noexcept {
    for (int i = n - 2; i >= 0; --i)
        for (int j = 0; j < n; ++j) m[i][j] += m[i + 1][j];
    for (int j = n - 2; j >= 0; --j)
        for (int i = 0; i < n; ++i) m[i][j] += m[i][j + 1];
}
template <int N>
void sum_from_above(Row<N>& r, int n) noexcept {
    for (int i = n - 2; i >= 0; --i) r[i] += r[i + 1];
}

/// Relative rotation accelerations (rad/s2); 0 at full interfaces.
template <int N>
Row<N> relative_accelerations(const SupportTable<N>& table, const State<N>& motion, const Drive& drive,
                              int n) noexcept {
    if constexpr (N == 1) {  // the same sums, without the loops
        const double sine = std::sin(motion.q[0]), cosine = std::cos(motion.q[0]);
        const Vec2 p = table.p[0];
        const double r =
            -drive.vertical_m_s2 * (p.x * cosine + p.z * sine) + drive.horizontal_m_s2 * (p.z * cosine - p.x * sine);
        return {table.open_count == 0 ? 0.0 : -r / table.diagonal[0]};
    }
    const Attitude<N> a = attitude(motion, n);
    Row<N> right = bias(table, a, drive, n);
    Matrix<N> mass = mass_matrix(table, a, n);
    sum_from_above<N>(mass, n);
    sum_from_above<N>(right, n);
    for (int i = 0; i < n; ++i) right[i] = -right[i];
    return solve_reduced<N>(mass, right, table.open, table.open_count);
}

/// Kinetic energy relative to the base, J.
template <int N>
double kinetic_energy_j(const SupportTable<N>& table, const State<N>& motion, int n) noexcept {
    const Attitude<N> a = attitude(motion, n);
    const Matrix<N> mass = mass_matrix(table, a, n);
    double energy = 0.0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) energy += 0.5 * a.rate_rad_s[i] * mass[i][j] * a.rate_rad_s[j];
    return energy;
}

/// Potential energy in the field of `drive` (constant), J; zero when every interface is full and upright.
template <int N>
double potential_energy_j(const SupportTable<N>& table, const State<N>& motion, const Drive& drive, int n) noexcept {
    double energy = 0.0, theta = 0.0;
    for (int i = 0; i < n; ++i) {
        theta += motion.q[i];
        const double half = std::sin(0.5 * theta), s = std::sin(theta);
        energy -= drive.vertical_m_s2 * (table.p[i].x * s + 2.0 * table.p[i].z * half * half);
        energy += drive.horizontal_m_s2 * (table.p[i].z * s - 2.0 * table.p[i].x * half * half);
    }
    return energy;
}

}  // namespace topple::solver
