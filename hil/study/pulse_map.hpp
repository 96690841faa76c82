// Outcome over peak velocity and gap of a double pulse: what a table that hits a stopper does to a stack.
#pragma once

#include "hil/study/map_grid.hpp"

namespace topple::hil::study {

/// Axes as given for --peak-velocity and --gap (both needed); velocities get the sign of the file's.
struct PulseAxes {
    GridAxis velocity, gap;
};

/// Throws InputError if the experiment is not a double pulse, an axis is missing or malformed, or the
/// smallest gap is shorter than the way of the rise at the largest velocity.
PulseAxes pulse_axes(const experiment::Experiment& experiment, const std::string& velocity, const std::string& gap);

/// Cells of one specimen, one by one by the scalar solver with the model of the options. Keeps references to the
/// experiment and the specimen.
ColumnSolver pulse_solver(const experiment::Experiment& experiment, const solver::Specimen& specimen,
                          const solver::SolverOptions& options);

}  // namespace topple::hil::study
