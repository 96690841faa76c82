// The record kernel once more, compiled for x86-64 processors with AVX2 and FMA (CMakeLists.txt sets the flags).
#include "solver/lanes/record_run.hpp"

namespace topple::solver {

void solve_record_avx2(const RecordTrack& track, const RecordRun* runs, RecordRunEnd* ends, size_t count) {
    RecordKernel(track, runs, ends, count).run();
}

}  // namespace topple::solver
