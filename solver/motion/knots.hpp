// A base motion through given states, for waveforms whose acceleration is no sum of the terms of a piece.
#pragma once

#include <span>

#include "solver/motion/base_motion.hpp"

namespace topple::solver {

/// Between neighbouring knots the displacement is the quintic that has displacement, velocity and acceleration of both:
/// these three are exact at every knot and continuous everywhere. Between the knots, h apart, the acceleration is off
/// by about h^4/1920 times its fourth derivative. `jerk_m_s3` of a knot is not used. The first knot is the initial
/// state. Throws std::invalid_argument if the numbers of times and knots differ, there are fewer than 2, times do not
/// increase or a number is not finite.
BaseMotion motion_through(std::span<const double> time_s, std::span<const BaseState> knots);

}  // namespace topple::solver
