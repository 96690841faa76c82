// One motion against another: correlation, lag, and whether the sign is reversed.
#pragma once

#include <span>

#include "hil/signal/even_grid.hpp"

namespace topple::hil::compare {

inline constexpr double kLagMax_s = 0.1;                  ///< searched both ways
inline constexpr double kSignReversedCorrelation = -0.7;  ///< displacement correlation below this: "sign reversed"

struct MotionMatch {
    bool evaluated = false;    ///< false if one of them hardly moves
    double correlation = 0.0;  ///< of the displacements about the rest position, at the best lag; -1 .. 1
    double lag_s = 0.0;        ///< achieved later than the reference; least squares of the velocities
    bool sign_reversed = false;
};

/// Displacements (m, relative to rest) on the same grid, compared over [start_s, end_s].
MotionMatch match_motions(const signal::EvenGrid& grid, std::span<const double> reference_m,
                          std::span<const double> achieved_m, double start_s, double end_s);

}  // namespace topple::hil::compare
