#include "solver/lanes/rocking_lanes.hpp"

#include "solver/lanes/all.hpp"

namespace topple::solver {

void solve_lanes_baseline(const LaneProblem& problem, const LanePoint* points, LaneOutcome* outcomes, size_t count) {
    Kernel(problem, points, outcomes, count).run();
}

LaneSolver lane_solver() noexcept {
#ifdef TOPPLE_LANES_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return solve_lanes_avx2;
#endif
    return solve_lanes_baseline;
}

}  // namespace topple::solver
