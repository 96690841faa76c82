// Models "linearised" and "quasi_linear" behind RockingRun.
#include "solver/models/single_block_engine.hpp"
#include "solver/models/small_rotation_run.hpp"

namespace topple::solver {

std::unique_ptr<RockingRun::Impl> make_small_rotation_engine(const Specimen& specimen, const SolverOptions& options) {
    return std::make_unique<SingleBlockEngine<SmallRotationRun>>(specimen, options);
}

}  // namespace topple::solver
