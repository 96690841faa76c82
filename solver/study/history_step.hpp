// The time step at which the curves of a history are smooth: from the specimen's own time scale.
#pragma once

#include "solver/motion/base_motion.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

/// Step of a history, s: 1, 2 or 5 times a power of ten, at most 0.015/p with the largest p of the blocks (2 ms for the
/// blocks of a laboratory). Above 2 ms it also follows the motion: at least 40 steps per period of its harmonics and
/// one per piece on the average. The motion itself takes at most a million steps.
double history_step_s(const Specimen& specimen, const BaseMotion& motion, double gravity_m_s2);

}  // namespace topple::solver
