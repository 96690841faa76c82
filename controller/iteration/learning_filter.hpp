// From the errors of the passes so far to the next correction: an inverse model of the table, as far as it coheres.
#pragma once

#include <span>

#include "controller/iteration/correction.hpp"
#include "controller/iteration/pass_error.hpp"

namespace topple::controller {

/// One pass: what was added to the target, and what the platen then made of it.
struct LearnedPass {
    Correction correction;  ///< empty in the first one
    PassError error;
};

inline constexpr double kLearningBandwidth_hz = 80.0;  ///< nothing faster is learned; half is left here
inline constexpr double kLearningGainMax = 2.0;  ///< change of the drive over the error that it answers, per frequency

/// What to add to the correction of passes[from]. Where changes of earlier corrections and what became of them cohere,
/// it is the inverse of what they show; elsewhere, and after a first pass everywhere, the table is assumed to
/// follow its setpoints. `gain`: of the whole. All passes must be of one motion of `duration_s`.
/// Equations: docs/drive_iteration.md#learning.
Correction learned_change(std::span<const LearnedPass> passes, std::size_t from, double duration_s, double gain = 1.0);

}  // namespace topple::controller
