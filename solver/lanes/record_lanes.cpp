#include "solver/lanes/record_lanes.hpp"

#include "solver/lanes/record_run.hpp"

namespace topple::solver {

void solve_record_baseline(const RecordTrack& track, const RecordRun* runs, RecordRunEnd* ends, size_t count) {
    RecordKernel(track, runs, ends, count).run();
}

RecordSolver record_solver() noexcept {
#ifdef TOPPLE_LANES_AVX2
    if (__builtin_cpu_supports("avx2")) return solve_record_avx2;
#endif
    return solve_record_baseline;
}

}  // namespace topple::solver
