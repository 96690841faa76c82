// Random stacks and states for property tests of the solver.
#pragma once

#include <random>

#include "solver/stack/specimen_stack.hpp"

namespace topple::tests {

/// Homogeneous blocks, not wider upwards, of random sizes and densities.
inline solver::Specimen random_stack(std::mt19937_64& random, int count) {
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    solver::Specimen specimen;
    double width = 0.05 + 0.05 * unit(random);
    for (int i = 0; i < count; ++i) {
        const double height = width * (0.8 + 4.0 * unit(random));
        specimen.blocks.push_back({width, height, width * height * (1000.0 + 3000.0 * unit(random))});
        width *= 1.0 - 0.3 * unit(random);
    }
    return specimen;
}

/// A state in which the interfaces of `closing` just meet (phi = 0, s psi < 0) and the others are open or
/// full.
template <int N>
solver::StackState<N> random_impact(std::mt19937_64& random, const solver::Specimen& specimen,
                                    solver::InterfaceSet<N>& closing) {
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    auto state = solver::make_stack_state<N>(specimen, 9.81);
    const int n = state.size();
    solver::Supports<N> supports{};
    const int first = static_cast<int>(unit(random) * n);
    for (int k = 0; k < n; ++k) {
        const int s = unit(random) < 0.5 ? -1 : 1;
        const bool closes = k == first || unit(random) < 0.2;
        if (!closes && unit(random) < 0.3) continue;
        supports[k] = s;
        state.motion.q_rate[k] = (closes ? -s : unit(random) < 0.5 ? 1 : -1) * unit(random);
        if (closes)
            closing.add(k);
        else
            state.motion.q[k] = s * 0.2 * unit(random);
    }
    state.set_supports(supports);
    return state;
}

/// The same state seen from behind the shaking plane.
template <int N>
solver::StackState<N> mirrored(solver::StackState<N> state) {
    solver::Supports<N> supports = state.table.s;
    for (int k = 0; k < state.size(); ++k) {
        supports[k] = -supports[k];
        state.motion.q[k] = -state.motion.q[k];
        state.motion.q_rate[k] = -state.motion.q_rate[k];
    }
    state.set_supports(supports);
    return state;
}

}  // namespace topple::tests
