// An assembly's prediction as people and programs read it.
#pragma once

#include <filesystem>
#include <string>

#include "hil/experiment/experiment.hpp"
#include "solver/assembly/assembly.hpp"

namespace topple::hil::plan {

/// Along excitation.planned_motion(); `history_step_s` as in PredictionRequest. The experiment has an assembly.
solver::AssemblyPrediction predict_assembly(const experiment::Experiment& experiment, double history_step_s);

/// Lines of `predict` without --json, after the experiment's name.
std::string assembly_text(const solver::Assembly& assembly, const solver::AssemblyPrediction& prediction);
/// time_s, basin_displacement_m, position_<i>_m, velocity_<i>_m_s, centroid_m, inertia_index (empty for one block).
std::string assembly_history_csv(const solver::AssemblyPrediction& prediction, std::size_t blocks);
/// Both edges of every block and the walls over time, the centroid, and below it the index of inertia. The prediction
/// has a history. Throws OutputError.
void draw_assembly(const std::string& title, const solver::Assembly& assembly,
                   const solver::AssemblyPrediction& prediction, const std::filesystem::path& figure);

}  // namespace topple::hil::plan
