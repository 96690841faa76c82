// Did the blocks in the basin do what was predicted? Criteria, their spread under the ensemble, one verdict.
#pragma once

#include <functional>
#include <vector>

#include "hil/compare/agreement.hpp"
#include "hil/compare/assembly_ensemble.hpp"
#include "hil/compare/assembly_reading.hpp"
#include "hil/compare/block_positions.hpp"

namespace topple::hil::compare {

// A prediction wider than these does not test the model; of the basin's free length (basin less blocks), of the index.
// Reasons: docs/physics/assembly.md#comparison.
inline constexpr double kPathCap_ratio = 0.10;
inline constexpr double kFarthestCap_ratio = 0.20;
inline constexpr double kIndexCap_ratio = 0.10;
inline constexpr double kCentroidCap_ratio = 0.10;

/// Measured less predicted of one block, over the basin's free length.
struct PathDifference {
    double rms_ratio = 0.0, peak_ratio = 0.0;              ///< of the whole record
    double until_s = 0.0;                                  ///< from then on the members part
    double rms_until_ratio = 0.0, peak_until_ratio = 0.0;  ///< up to then
};

struct AssemblyComparison {
    Agreement agreement;
    std::vector<PathDifference> paths;    ///< per block
    AssemblyReading predicted, measured;  ///< of the assembly as described; paths at the frames
};

struct AssemblyComparisonInput {
    const solver::Assembly& assembly;
    const solver::AssemblyPrediction& predicted;  ///< of the assembly as described, with a history
    const BlockPositions& measured;
    /// Member by index; an exception std::invalid_argument: there is none.
    std::function<solver::AssemblyPrediction(std::size_t)> member;
    double clock_error_s = 0.0;  ///< standard deviation, beside a third of a frame
};

/// `assembly_free_length_m` > 0.
AssemblyComparison compare_assembly(const AssemblyComparisonInput& input);

/// Basin less blocks.
double assembly_free_length_m(const solver::Assembly& assembly) noexcept;

}  // namespace topple::hil::compare
