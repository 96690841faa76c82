// The baseline of map_bench: a rocking block as one writes it with Boost.Odeint.
#pragma once

namespace topple::bench {

/// When the baseline stops.
enum class Decision {
    window,  ///< 10 s after the start, at rest, or fallen
    energy,  ///< by the energy at the end of the pulse, or earlier if fallen
};

/// A block from rest under one sine of base acceleration; time in 1/p.
struct SineCell {
    double slenderness_rad = 0.0, restitution = 1.0;
    double frequency_ratio = 0.0;  ///< omega / p
    double amplitude_g = 0.0;      ///< a0 / g
    double window = 0.0;           ///< p times 10 s
};

struct BaselineAnswer {
    bool uplifted = false, overturned = false;
    int side = 0;  ///< of overturning: -1 left, +1 right
    unsigned impacts = 0;
    unsigned steps = 0;
};

/// runge_kutta_dopri5 with dense output, absolute and relative tolerance 1e-9. Impacts are bisected on the
/// dense output. Rest rule: after the pulse, or while the base cannot lift it, a block that leaves an impact
/// slower than 1e-6 p rests, so that its decaying chatter is not followed. The stepper starts afresh at
/// impacts and at the end of the pulse.
BaselineAnswer solve_by_odeint(const SineCell& cell, Decision decision);

}  // namespace topple::bench
