// The engine with the stack's law, for each size that is compiled.
#include <limits>

#include "solver/engine/engine_run.hpp"
#include "solver/stack/specimen_stack.hpp"
#include "solver/stack/stack_law.hpp"

namespace topple::solver {
namespace {

template <int N>
std::unique_ptr<RunImpl> make_sized_run(const Specimen& specimen, const SolverOptions& options) {
    Row<N> friction_ratio;
    friction_ratio.fill(std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < specimen.blocks.size(); ++k)
        if (const auto friction = friction_at(specimen, k)) friction_ratio[k] = friction->static_ratio;
    const StackLaw<N> law(make_stack_state<N>(specimen, options.gravity_m_s2),
                          ContactWatch<N>(!options.outcome_only, friction_ratio));
    return make_run(law, options, specimen.initial_tilt_rad);
}

}  // namespace

std::unique_ptr<RunImpl> make_stack_run(const Specimen& specimen, const SolverOptions& options) {
    switch (specimen.blocks.size()) {
        case 1: return make_sized_run<1>(specimen, options);
        case 0:
        case 2: return make_sized_run<2>(specimen, options);
        case 3:
        case 4: return make_sized_run<4>(specimen, options);
        default: return make_sized_run<kBlocksMax>(specimen, options);
    }
}

}  // namespace topple::solver
