// Which closed interfaces stay full and which open, decided from the accelerations and forces at one instant.
#pragma once

#include "solver/engine/law.hpp"
#include "solver/stack/candidates.hpp"
#include "solver/stack/contact_forces.hpp"
#include "solver/stack/contact_mass.hpp"

namespace topple::solver {

template <int N>
double weight_n(const StackGeometry<N>& stack, const Drive& drive) noexcept {
    double mass = 0.0;
    for (int i = 0; i < stack.size(); ++i) mass += stack.block[i].mass_kg;
    return mass * (std::abs(drive.vertical_m_s2) + std::abs(drive.horizontal_m_s2));
}

/// True if a full interface would need to pull at one of its edges.
template <int N>
bool pulls(const ContactForces<N>& contact, const Supports<N>& supports, int n, double tolerance_n) noexcept {
    for (int i = 0; i < n; ++i)
        if (supports[i] == 0 && (contact.edge_left_n[i] < -tolerance_n || contact.edge_right_n[i] < -tolerance_n))
            return true;
    return false;
}

/// decide_supports() by trying every support state: the definition, and the oracle of the tests.
template <int N>
Supports<N> decide_by_trial(const StackGeometry<N>& stack, const Supports<N>& supports, const State<N>& motion,
                            const Drive& drive, const InterfaceSet<N>& undecided, double p_rad_s) noexcept {
    const int n = stack.size();
    const double force_tolerance = kContactTolerance * weight_n(stack, drive);
    const double acceleration_tolerance = kContactTolerance * p_rad_s * p_rad_s;
    const Attitude<N> a = attitude(motion, n);
    Supports<N> candidate = supports;
    for (int i = 0; i < undecided.size; ++i) candidate[undecided.index[i]] = 0;
    Supports<N> best = candidate;
    double best_constraint = 0.0;
    bool best_pushes = false, found = false;
    do {
        const SupportTable<N> table = make_support_table(stack, candidate);
        const Row<N> acceleration = relative_accelerations(table, motion, drive, n);
        bool opens = true;
        for (int i = 0; i < undecided.size && opens; ++i) {
            const int k = undecided.index[i];
            opens = candidate[k] == 0 || candidate[k] * acceleration[k] > acceleration_tolerance;
        }
        if (!opens) continue;
        const ContactForces<N> contact =
            contact_forces(stack, table, a, inertia_loads(stack, table, a, acceleration, drive));
        bool pushes = !pulls(contact, candidate, n, force_tolerance);
        for (int i = 0; i < undecided.size && pushes; ++i)
            pushes = contact.normal_n[undecided.index[i]] >= -force_tolerance;
        const bool better =
            !found || (pushes && !best_pushes) || (pushes == best_pushes && contact.gauss_constraint < best_constraint);
        if (!better) continue;
        found = true;
        best = candidate;
        best_pushes = pushes;
        best_constraint = contact.gauss_constraint;
    } while (next_candidate<N>(candidate, undecided));
    return best;
}

/// decide_supports() by complementarity: the least Gauss constraint is the nearest acceleration.
template <int N>
ContactStates<N> decide_by_complementarity(const StackGeometry<N>& stack, const Supports<N>& supports,
                                           const State<N>& motion, const Drive& drive, const InterfaceSet<N>& undecided,
                                           double p_rad_s) noexcept {
    const int n = stack.size();
    const Attitude<N> a = attitude(motion, n);
    Supports<N> full = supports;
    for (int i = 0; i < undecided.size; ++i) full[undecided.index[i]] = 0;
    const SupportTable<N> table = make_support_table(stack, full);
    ContactProblem<N> problem = contact_problem(stack, table, a, undecided);
    Row<N> moment = bias(table, a, drive, n);
    sum_from_above<N>(moment, n);
    const InertiaLoads<N> loads = inertia_loads(stack, table, a, Row<N>{}, drive);
    Vec2 force{};
    for (int k = n - 1; k >= 0; --k) {
        force = force + loads.force_n[k];
        problem.load[2 * k] = moment[k];
        if (undecided.contains(k)) problem.load[2 * k + 1] = dot(face_normal(a, k), force);
    }
    problem.rate_noise = kContactTolerance * p_rad_s * p_rad_s;
    problem.impulse_tolerance = kContactTolerance * weight_n(stack, drive);
    ContactStates<N> states = ContactSolver<N>(problem).solve();
    for (int k = 0; k < n; ++k)
        if (!undecided.contains(k)) states.support[k] = supports[k];
    return states;
}

/// Supports after a non-smooth instant (start, jump of the base acceleration, impact, block gone): the closed
/// interfaces `undecided` (phi = psi = 0) are tried together. Taken is the state in which the opened ones
/// open (s phi'' > 0), the closed ones and the pivots only push, with least Gauss constraint; if no state
/// pushes everywhere (the blocks would jump) the least constraint among those that open.
template <int N>
ContactStates<N> decide_supports(const StackGeometry<N>& stack, const Supports<N>& supports, const State<N>& motion,
                                 const Drive& drive, const InterfaceSet<N>& undecided, double p_rad_s) noexcept {
    if constexpr (N > kTriedOneByOne)
        if (undecided.size > kTriedOneByOne)
            return decide_by_complementarity(stack, supports, motion, drive, undecided, p_rad_s);
    return {decide_by_trial(stack, supports, motion, drive, undecided, p_rad_s), true};
}

}  // namespace topple::solver
