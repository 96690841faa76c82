// What the Odeint baselines share: the stepper, the search for an impact, and what becomes of a block that coasts.
#pragma once

#include <array>
#include <cmath>

// Before dense_output_runge_kutta.hpp, which forgets them in Boost 1.74.
#include <boost/numeric/odeint/util/bind.hpp>
#include <boost/numeric/odeint/util/unwrap_reference.hpp>

#include <boost/numeric/odeint/stepper/dense_output_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

namespace topple::bench {

using BlockState = std::array<double, 2>;  ///< rotation, and its rate in the unit of the baseline
inline constexpr double kOdeintTolerance = 1e-9;
inline constexpr double kOdeintRestRate = 1e-6;  ///< over p: an impact slower than this ends the rocking

inline auto odeint_stepper() {
    namespace odeint = boost::numeric::odeint;
    return odeint::make_dense_output(kOdeintTolerance, kOdeintTolerance, odeint::runge_kutta_dopri5<BlockState>());
}

/// Where in [low, high] `side` times the rotation falls to 0; `at` gets the state there.
template <class Stepper>
double impact_time(const Stepper& stepper, int side, double low, double high, BlockState& at) {
    while (high - low > 1e-12) {
        const double middle = 0.5 * (low + high);
        stepper.calc_state(middle, at);
        (side * at[0] > 0.0 ? low : high) = middle;
    }
    stepper.calc_state(high, at);
    return high;
}

struct CoastingEnd {
    int falls_to = 0;  ///< -1 left, +1 right, 0: it stays up
    int impacts = 0;
};

/// The base keeps its velocity: impacts take energy, the barrier is 1. Rate over p.
inline CoastingEnd coasting_end(int side, const BlockState& at, double slenderness_rad, double restitution) {
    const double rotation = side * at[0], rate = side * at[1];
    double energy = 0.5 * rate * rate + std::cos(slenderness_rad - rotation);
    CoastingEnd end;
    if (rotation >= slenderness_rad ? rate >= 0.0 || energy < 1.0 : rate > 0.0 && energy >= 1.0) {
        end.falls_to = side;
        return end;
    }
    const double seat = std::cos(slenderness_rad);
    for (energy -= seat; energy >= 1.0 - seat && end.falls_to == 0;) {
        energy *= restitution * restitution;
        side = -side;
        ++end.impacts;
        if (energy >= 1.0 - seat) end.falls_to = side;
    }
    return end;
}

}  // namespace topple::bench
