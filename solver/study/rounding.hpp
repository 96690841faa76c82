// Does a rounding error change the answer?
#pragma once

#include <optional>

#include "solver/predict.hpp"

namespace topple::solver {

inline constexpr double kRoundingNudge = 1e-14;  ///< relative, of start and motion
inline constexpr double kPartedOfAlpha = 1e-6;   ///< turning points further apart than this times alpha have parted

struct RoundingEffect {
    std::optional<double> parts_from_s;  ///< first turning point that differs; empty: none does
    bool outcome_differs = false;        ///< or its direction
};

/// Follows a copy whose start and motion differ by kRoundingNudge and compares it with `prediction`, which was made
/// with the same options along the same motion. Throws as predict().
RoundingEffect rounding_effect(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options,
                               const Prediction& prediction);

/// Energy lost between successive turning points of one block on a rigid base: sqrt(E_(k+1)/E_k) with
/// E = cos(alpha - |theta|) - cos(alpha). Only turning points to alternating sides count; empty for fewer than two.
std::vector<double> apparent_restitution(const Block& block, const std::vector<TurningPoint>& turning_points);

}  // namespace topple::solver
