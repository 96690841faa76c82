// Members of an ensemble of an assembly: what friction, restitution, sizes and places may be.
#pragma once

#include <cstddef>

#include "hil/experiment/experiment.hpp"
#include "solver/assembly/assembly.hpp"

namespace topple::hil::compare {

/// A block that touches nothing is put down by hand to this, one standard deviation.
inline constexpr double kPlaced_m = 0.5e-3;

struct AssemblyDraw {
    solver::Assembly assembly;
    solver::MotionScale motion;  ///< of a planned motion; a measured one is known
};

/// Member `index`: a pure function of its arguments. The restitution of walls and of blocks, and every length, are
/// drawn on their own; blocks that touch keep touching. Throws std::invalid_argument if the blocks do not fit into the
/// basin.
AssemblyDraw draw_assembly(const solver::Assembly& assembly, const experiment::UncertaintySection& uncertainty,
                           std::size_t index);

}  // namespace topple::hil::compare
