// Contact forces of a stack, from the top down: what holds the supports where they are, and what loads the
// base.
#pragma once

#include "solver/stack/equations.hpp"

namespace topple::solver {

/// Forces that each interface passes upwards (on the block above it).
template <int N>
struct ContactForces {
    std::array<Vec2, static_cast<std::size_t>(N)> force_n{};  ///< resultant, base axes
    Row<N> moment_n_m{};  ///< clockwise, about the pivot; about the middle of the face if full; 0 when open
    Row<N> normal_n{};    ///< > 0: compression
    Row<N> edge_left_n{}, edge_right_n{};  ///< shares of the two corners of a full face (all on the pivot if open)
    double gauss_constraint = 0.0;         ///< Gauss's measure of the deviation from free motion, kg m2/s4
};

/// Inertia and gravity to carry: per block the force (through the mass centre) and the moment.
template <int N>
struct InertiaLoads {
    std::array<Vec2, static_cast<std::size_t>(N)> force_n{};
    Row<N> moment_n_m{};
};

/// From rotation accelerations; `relative_acceleration` as relative_accelerations() returns.
template <int N>
InertiaLoads<N> inertia_loads(const StackGeometry<N>& stack, const SupportTable<N>& table, const Attitude<N>& a,
                              const Row<N>& relative_acceleration, const Drive& drive) noexcept {
    InertiaLoads<N> loads;
    Vec2 pivot{drive.horizontal_m_s2, drive.vertical_m_s2};
    double acceleration = 0.0;
    for (int i = 0; i < stack.size(); ++i) {
        acceleration += relative_acceleration[i];
        const double rate2 = a.rate_rad_s[i] * a.rate_rad_s[i];
        const Vec2 c = turned(table.c[i], a.sine[i], a.cosine[i]);
        const Vec2 d = turned(table.d[i], a.sine[i], a.cosine[i]);
        loads.force_n[i] = stack.block[i].mass_kg * (pivot + acceleration * perpendicular(c) - rate2 * c);
        loads.moment_n_m[i] = stack.block[i].inertia_kg_m2 * acceleration;
        pivot = pivot + acceleration * perpendicular(d) - rate2 * d;
    }
    return loads;
}

/// Contact forces that carry these loads.
template <int N>
ContactForces<N> contact_forces(const StackGeometry<N>& stack, const SupportTable<N>& table, const Attitude<N>& a,
                                const InertiaLoads<N>& loads) noexcept {
    ContactForces<N> contact;
    Vec2 force{};
    double about_pivot = 0.0;
    for (int i = stack.size() - 1; i >= 0; --i) {
        const BlockGeometry& block = stack.block[i];
        const Vec2 c = turned(table.c[i], a.sine[i], a.cosine[i]);
        const Vec2 d = turned(table.d[i], a.sine[i], a.cosine[i]);
        about_pivot += moment(d, force) + moment(c, loads.force_n[i]) + loads.moment_n_m[i];
        force = force + loads.force_n[i];
        contact.force_n[i] = force;
        contact.moment_n_m[i] = about_pivot;
        contact.normal_n[i] = dot(force, face_normal(a, i));
        const double width = block.corner_right_m - block.corner_left_m;
        contact.edge_left_n[i] = (contact.normal_n[i] * block.corner_right_m + about_pivot) / width;
        contact.edge_right_n[i] = (-contact.normal_n[i] * block.corner_left_m - about_pivot) / width;
        contact.gauss_constraint += 0.5 * (dot(loads.force_n[i], loads.force_n[i]) / block.mass_kg +
                                           loads.moment_n_m[i] * loads.moment_n_m[i] / block.inertia_kg_m2);
    }
    return contact;
}

/// Contact forces in the given state under the given base acceleration, supports held.
template <int N>
ContactForces<N> contact_forces(const StackGeometry<N>& stack, const SupportTable<N>& table, const State<N>& motion,
                                const Drive& drive) noexcept {
    const Attitude<N> a = attitude(motion, stack.size());
    const Row<N> acceleration = relative_accelerations(table, motion, drive, stack.size());
    return contact_forces(stack, table, a, inertia_loads(stack, table, a, acceleration, drive));
}

}  // namespace topple::solver
