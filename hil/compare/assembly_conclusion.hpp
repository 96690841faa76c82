// What the blocks of an assembly should have done on the motion that the table made.
#pragma once

#include <optional>

#include "hil/compare/achieved_motion.hpp"
#include "hil/experiment/experiment.hpp"
#include "solver/assembly/assembly.hpp"

namespace topple::hil::compare {

/// Both with a history, in the time of the test.
struct AssemblyConclusion {
    solver::AssemblyPrediction planned;
    std::optional<solver::AssemblyPrediction> achieved;  ///< empty without a recorded motion
};

/// Empty for an experiment without assembly.
std::optional<AssemblyConclusion> conclude_assembly(const experiment::Experiment& experiment,
                                                    const AchievedMotion& motion);

}  // namespace topple::hil::compare
