// Paths of blocks in a basin as a camera sees them: the same numbers from a prediction and from the measurement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hil/compare/block_positions.hpp"
#include "solver/assembly/assembly.hpp"

namespace topple::hil::compare {

using BlockPaths = std::vector<std::vector<double>>;  ///< [block][frame], m from the left wall

/// What a camera adds to the spread of a prediction, one standard deviation each.
struct CameraErrors {
    double noise_m = 0.0;
    double place_m = 0.3e-3;  ///< of its scale and zero, the same for all of a record
    double time_s = 0.0;      ///< of its clock, the same for all of a record
};

struct AssemblyReading {
    BlockPaths paths;
    std::vector<std::optional<double>> first_impact_s;           ///< per pair (AssemblyImpact); empty: none seen
    std::optional<double> inertia_index_max, inertia_index_end;  ///< of the frames; not of a single block
    double centroid_end_m = 0.0;                                 ///< from the left wall, mean of the last frames
};

/// A prediction with a history at these times, exact to the history's step; held before and after it.
BlockPaths paths_at(const solver::AssemblyPrediction& prediction, const std::vector<double>& time_s);
/// The same through a camera with errors drawn from `seed`.
BlockPaths seen_paths(const solver::AssemblyPrediction& prediction, const std::vector<double>& time_s,
                      const CameraErrors& errors, std::uint64_t seed);

/// An impact is seen where two bodies, apart before by more than the noise allows, come so near that one frame later
/// they would overlap; its time is that of the straight line through the frames before. A bounce shorter than two
/// frames is not resolved.
AssemblyReading read_paths(BlockPaths paths, const std::vector<double>& time_s, const solver::Assembly& assembly,
                           double noise_m);

}  // namespace topple::hil::compare
