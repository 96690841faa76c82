// What the blocks of an assembly should have done on the motion that the table made, and what a camera saw of them.
#pragma once

#include <optional>

#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/assembly_agreement.hpp"
#include "hil/compare/measured.hpp"
#include "hil/experiment/experiment.hpp"
#include "solver/assembly/assembly.hpp"

namespace topple::hil::compare {

struct Conclusion;

/// Predictions with a history, in the time of the test.
struct AssemblyConclusion {
    solver::AssemblyPrediction planned;
    std::optional<solver::AssemblyPrediction> achieved;  ///< empty without a recorded motion
    MeasurementSource source = MeasurementSource::none;
    std::optional<BlockPositions> measured;  ///< empty without a camera
    AssemblyComparison blind, comparison;    ///< of the planned and of the achieved prediction with the measurement
};

/// Empty for an experiment without assembly. Nothing is measured yet.
std::optional<AssemblyConclusion> conclude_assembly(const experiment::Experiment& experiment,
                                                    const AchievedMotion& motion);

/// Adds what was measured and judges it. The conclusion has an assembly. Throws std::invalid_argument as
/// positions_in_basin.
void judge_assembly(Conclusion& conclusion, const CameraPositions& seen, const CameraSetup& setup);

}  // namespace topple::hil::compare
