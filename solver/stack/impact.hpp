// Impacts as the projection of the velocities, in the metric of the mass matrix, on what the contacts admit.
#pragma once

#include <algorithm>

#include "solver/specimen.hpp"
#include "solver/stack/candidates.hpp"
#include "solver/stack/contact_mass.hpp"
#include "solver/stack/equations.hpp"

namespace topple::solver {

/// How interfaces lose energy beyond the plain momentum balance.
template <int N>
struct ImpactLaw {
    Row<N> material{};  ///< per interface, 0..1
    bool literal = false;
    /// Single block only: rate ratios given instead of computed, [0] from the left pivot, [1] from the right
    /// one.
    bool fixed = false;
    std::array<double, 2> fixed_ratio{1.0, 1.0};
};

/// Velocities just after an impact, and the supports that go with them.
template <int N>
struct ImpactResult {
    Supports<N> supports{};
    Row<N> q_rate{};
    bool solved = true;  ///< false: no admissible state was found and the rest means nothing
};

/// Momenta of pre-impact absolute rates about post-impact pivots, relative form.
template <int N>
Row<N> carried_momentum(const StackGeometry<N>& stack, const SupportTable<N>& before, const SupportTable<N>& after,
                        const Attitude<N>& a) noexcept {
    const int n = stack.size();
    Row<N> momentum{};
    double mass_above = 0.0;
    for (int i = n - 1; i >= 0; --i) {
        const double mass = stack.block[i].mass_kg;
        momentum[i] += (stack.block[i].inertia_kg_m2 + mass * dot(after.c[i], before.c[i]) +
                        mass_above * dot(after.d[i], before.d[i])) *
                       a.rate_rad_s[i];
        mass_above += mass;
        for (int j = i + 1; j < n; ++j) {
            const double c = a.cosine_between[i][j], s = a.sine_between[i][j];
            momentum[i] += (dot(after.d[i], before.p[j]) * c + cross(after.d[i], before.p[j]) * s) * a.rate_rad_s[j];
            momentum[j] += (dot(before.d[i], after.p[j]) * c + cross(before.d[i], after.p[j]) * s) * a.rate_rad_s[i];
        }
    }
    sum_from_above<N>(momentum, n);
    return momentum;
}

/// Half the mass-weighted square of the velocity change, J. From the changes, never as a difference of
/// energies: at the end of a chatter sequence that difference is below rounding.
template <int N>
double change_j(const StackGeometry<N>& stack, const SupportTable<N>& before, const SupportTable<N>& after,
                const Attitude<N>& a, const Row<N>& psi_after) noexcept {
    double change = 0.0, rate_after = 0.0;
    Vec2 pivot_jump{};
    for (int i = 0; i < stack.size(); ++i) {
        rate_after += psi_after[i];
        const double rate = a.rate_rad_s[i], spin = rate_after - rate;
        const auto jump = [&](Vec2 u_before, Vec2 u_after) {
            return turned(rate_after * perpendicular(u_after) - rate * perpendicular(u_before), a.sine[i], a.cosine[i]);
        };
        const Vec2 centre_jump = pivot_jump + jump(before.c[i], after.c[i]);
        change +=
            0.5 * (stack.block[i].mass_kg * dot(centre_jump, centre_jump) + stack.block[i].inertia_kg_m2 * spin * spin);
        pivot_jump = pivot_jump + jump(before.d[i], after.d[i]);
    }
    return change;
}

/// Relative rates below this count as rounding of the rates before an impact.
template <int N>
double rate_noise_rad_s(const State<N>& motion, int n) noexcept {
    double fastest = 0.0;
    for (int i = 0; i < n; ++i) fastest = std::max(fastest, std::abs(motion.q_rate[i]));
    return 1e-14 * fastest;
}

/// Rates after an impact that leaves the interfaces with the supports of `after`.
template <int N>
Row<N> projected_rates(const StackGeometry<N>& stack, const SupportTable<N>& before, const SupportTable<N>& after,
                       const Attitude<N>& a) noexcept {
    Matrix<N> mass = mass_matrix(after, a, stack.size());
    sum_from_above<N>(mass, stack.size());
    return solve_reduced<N>(mass, carried_momentum(stack, before, after, a), after.open, after.open_count);
}

/// project() by trying every support state: the definition, and the oracle of the tests.
template <int N>
ImpactResult<N> project_by_trial(const StackGeometry<N>& stack, const Supports<N>& supports, const State<N>& motion,
                                 const InterfaceSet<N>& closed) noexcept {
    const int n = stack.size();
    const Attitude<N> a = attitude(motion, n);
    const SupportTable<N> before = make_support_table(stack, supports);
    const double noise = rate_noise_rad_s(motion, n);
    Supports<N> candidate = supports;
    for (int i = 0; i < closed.size; ++i) candidate[closed.index[i]] = 0;
    ImpactResult<N> best{candidate, {}, true};
    double best_change = -1.0;
    do {
        const SupportTable<N> after = make_support_table(stack, candidate);
        const Row<N> psi = projected_rates(stack, before, after, a);
        bool opens = true;
        for (int i = 0; i < closed.size && opens; ++i) {
            const int k = closed.index[i];
            opens = candidate[k] == 0 || candidate[k] * psi[k] > noise;
        }
        if (!opens) continue;
        const double change = change_j(stack, before, after, a, psi);
        if (best_change >= 0.0 && change >= best_change) continue;
        best.supports = candidate;
        best.q_rate = psi;
        best_change = change;
    } while (next_candidate<N>(candidate, closed));
    best.solved = best_change >= 0.0;
    return best;
}

/// project() by complementarity.
template <int N>
ImpactResult<N> project_by_complementarity(const StackGeometry<N>& stack, const Supports<N>& supports,
                                           const State<N>& motion, const InterfaceSet<N>& closed) noexcept {
    const int n = stack.size();
    const Attitude<N> a = attitude(motion, n);
    Supports<N> after = supports;
    for (int i = 0; i < closed.size; ++i) after[closed.index[i]] = 0;
    ContactProblem<N> problem = contact_problem(stack, make_support_table(stack, after), a, closed);
    for (int k = 0; k < n; ++k) problem.start[2 * k] = motion.q_rate[k];
    for (int i = 0; i < closed.size; ++i) {
        const int k = closed.index[i];
        problem.start[2 * k + 1] = stack.block[k].pivot_m(supports[k]) * motion.q_rate[k];
    }
    for (int k = 0; k < n; ++k) {  // impulse that stops everything, by its parts
        double impulse = 0.0;
        for (int i = 0; i < closed.size; ++i)
            for (const int j : {2 * closed.index[i], 2 * closed.index[i] + 1})
                impulse += std::abs(problem.mass[2 * k + 1][j] * problem.start[j]);
        problem.impulse_tolerance = std::max(problem.impulse_tolerance, 1e-13 * impulse);
    }
    problem.rate_noise = rate_noise_rad_s(motion, n);
    const ContactStates<N> states = ContactSolver<N>(problem).solve();
    for (int i = 0; i < closed.size; ++i) after[closed.index[i]] = states.support[closed.index[i]];
    const Row<N> psi = projected_rates(stack, make_support_table(stack, supports), make_support_table(stack, after), a);
    return {after, psi, states.solved};
}

/// Nearest admissible velocities: over all supports of the interfaces in `closed` (phi = 0 there), the
/// projection that opens every opened one (s psi > 0) and changes the velocities least.
template <int N>
ImpactResult<N> project(const StackGeometry<N>& stack, const Supports<N>& supports, const State<N>& motion,
                        const InterfaceSet<N>& closed) noexcept {
    if constexpr (N > kTriedOneByOne)
        if (closed.size > kTriedOneByOne) return project_by_complementarity(stack, supports, motion, closed);
    return project_by_trial(stack, supports, motion, closed);
}

/// Velocities nearest to psi, same supports, with the interfaces of `stopped` at psi = 0.
template <int N>
Row<N> stop(const StackGeometry<N>& stack, const Supports<N>& supports, const State<N>& motion,
            const InterfaceSet<N>& stopped) noexcept {
    const int n = stack.size();
    const SupportTable<N> table = make_support_table(stack, supports);
    Matrix<N> mass = mass_matrix(table, attitude(motion, n), n);
    sum_from_above<N>(mass, n);
    Row<N> momentum{};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) momentum[i] += mass[i][j] * motion.q_rate[j];
    InterfaceSet<N> rest;
    for (int i = 0; i < table.open_count; ++i)
        if (!stopped.contains(table.open[i])) rest.add(table.open[i]);
    return solve_reduced<N>(mass, momentum, rest.index, rest.size);
}

/// One joint impact of all interfaces in `impacted` (phi = 0 there and at full ones), with the material's
/// loss.
template <int N>
ImpactResult<N> resolve_impact(const StackGeometry<N>& stack, const ImpactLaw<N>& law, const Supports<N>& supports,
                               const State<N>& motion, const InterfaceSet<N>& impacted) noexcept {
    const int n = stack.size();
    double material = 1.0;
    for (int i = 0; i < impacted.size; ++i) material = std::min(material, law.material[impacted.index[i]]);
    if (law.fixed) {
        const double ratio = material * law.fixed_ratio[supports[0] > 0 ? 1 : 0];
        ImpactResult<N> result{};
        result.supports[0] = ratio > 0.0 ? -supports[0] : 0;
        result.q_rate[0] = ratio > 0.0 ? ratio * motion.q_rate[0] : 0.0;
        return result;
    }
    InterfaceSet<N> closed;
    for (int i = 0; i < n; ++i)
        if (supports[i] == 0 || impacted.contains(i)) closed.add(i);
    ImpactResult<N> result = project(stack, supports, motion, closed);
    if (material == 1.0) return result;
    if (law.literal) {
        for (int i = 0; i < n; ++i) result.q_rate[i] *= material;
        return result;
    }
    State<N> flipped = motion;
    flipped.q_rate = result.q_rate;
    const Row<N> stopped = stop(stack, result.supports, flipped, impacted);
    bool wrong_side = false;
    for (int i = 0; i < n; ++i) {
        double& psi = flipped.q_rate[i];
        psi = stopped[i] + material * (psi - stopped[i]);
        wrong_side = wrong_side || (closed.contains(i) && result.supports[i] * psi < 0.0);
    }
    if (wrong_side) return project(stack, result.supports, flipped, closed);
    result.q_rate = flipped.q_rate;
    return result;
}

}  // namespace topple::solver
