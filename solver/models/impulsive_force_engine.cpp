// Model "impulsive_force" behind RockingRun.
#include "solver/models/impulsive_force_run.hpp"
#include "solver/models/single_block_engine.hpp"

namespace topple::solver {

std::unique_ptr<RockingRun::Impl> make_impulsive_force_engine(const Specimen& specimen, const SolverOptions& options) {
    return std::make_unique<SingleBlockEngine<ImpulsiveForceRun>>(specimen, options);
}

}  // namespace topple::solver
