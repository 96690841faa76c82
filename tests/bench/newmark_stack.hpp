// The baseline of stack_bench: two blocks as one writes them after the thesis, Newmark and Newton at a fixed
// step.
#pragma once

#include "solver/specimen.hpp"

namespace topple::bench {

struct NewmarkAnswer {
    int blocks_overturned = 0;
    bool uplifted = false;
    long steps = 0;
};

/// Two blocks of equal width from rest under one period of a0 sin(w t). Configurations of the thesis by the
/// signs of the two supports; impacts by the balances of angular momentum (flip, lock, seat), material factor
/// of the relative rule; event steps by secant; stops at rest, when all has fallen, by the energy after the
/// pulse as the engine does, or at 2 pi / w + 80 / p.
NewmarkAnswer solve_by_newmark(const solver::Block& lower, const solver::Block& upper, double material,
                               double amplitude_m_s2, double angular_frequency_rad_s, double step_s);

}  // namespace topple::bench
