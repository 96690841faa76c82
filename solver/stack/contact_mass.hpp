// Mass matrix of a stack whose closed faces may also part: rotations of all interfaces and partings of the contacts.
#pragma once

#include "solver/stack/candidates.hpp"
#include "solver/stack/contact_cone.hpp"
#include "solver/stack/geometry.hpp"

namespace topple::solver {

/// Problem with joints, corners and mass matrix; start, load and tolerances are left at 0. `supports` are those around
/// the instant; interfaces of `contacts` have phi = 0. `table` must be of these supports with the contacts full.
template <int N>
ContactProblem<N> contact_problem(const StackGeometry<N>& stack, const SupportTable<N>& table, const Attitude<N>& a,
                                  const InterfaceSet<N>& contacts) noexcept {
    ContactProblem<N> problem;
    const int n = problem.n = stack.size();
    Row<N> mass_from{};  // of block k and all above
    for (int k = n - 1; k >= 0; --k) mass_from[k] = stack.block[k].mass_kg + (k + 1 < n ? mass_from[k + 1] : 0.0);
    for (int k = 0; k < n; ++k) {
        problem.joint[k] = contacts.contains(k) ? Joint::contact : table.s[k] == 0 ? Joint::rigid : Joint::hinge;
        problem.corner_left_m[k] = stack.block[k].corner_left_m;
        problem.corner_right_m[k] = stack.block[k].corner_right_m;
    }
    Matrix<N> rotations = mass_matrix(table, a, n);
    sum_from_above<N>(rotations, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) problem.mass[2 * i][2 * j] = rotations[i][j];
    for (int c = 0; c < contacts.size; ++c) {
        const int k = contacts.index[c];
        const Vec2 normal = face_normal(a, k);
        Row<N> coupling{};  // with the rotation of block i, then of interface i
        for (int i = 0; i < n; ++i) {
            const Vec2 moved = i >= k ? table.p[i] : mass_from[k] * table.d[i];
            coupling[i] = dot(normal, perpendicular(turned(moved, a.sine[i], a.cosine[i])));
        }
        sum_from_above<N>(coupling, n);
        for (int i = 0; i < n; ++i) problem.mass[2 * i][2 * k + 1] = problem.mass[2 * k + 1][2 * i] = coupling[i];
        for (int other = 0; other < contacts.size; ++other) {
            const int l = contacts.index[other];
            problem.mass[2 * k + 1][2 * l + 1] = mass_from[k > l ? k : l] * dot(normal, face_normal(a, l));
        }
    }
    return problem;
}

}  // namespace topple::solver
