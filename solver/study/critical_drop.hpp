// The drop of an air track's mass that just overturns the block.
#pragma once

#include <optional>

#include "solver/laws/air_track.hpp"

namespace topple::solver {

/// Least drop height (m, to 1e-9 of itself) from which the block overturns, with the slider's motion prescribed as a
/// constant pulse or coupled; nothing if the pull cannot lift the block, no drop up to
/// 1 km overturns it, or a solution on the way failed.
struct CriticalDrop {
    std::optional<double> prescribed_m, coupled_m;
};
CriticalDrop critical_drop(const Specimen& specimen, const AirTrack& track, const SolverOptions& options = {});

}  // namespace topple::solver
