// The kernel once more, compiled for x86-64 processors with AVX2 and FMA (CMakeLists.txt sets the flags).
#include "solver/lanes/all.hpp"

namespace topple::solver {

void solve_lanes_avx2(const LaneProblem& problem, const LanePoint* points, LaneOutcome* outcomes, size_t count) {
    Kernel(problem, points, outcomes, count).run();
}

}  // namespace topple::solver
