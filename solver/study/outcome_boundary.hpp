// How far a described test is from another outcome: the least change of the motion that changes what happens.
#pragma once

#include <optional>

#include "solver/motion/base_motion.hpp"
#include "solver/options.hpp"
#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

enum class MotionAxis { amplitude, frequency };

/// Relative changes of one axis that are looked at: 0 is the motion as it is, 0.1 is 10 % more.
struct BoundarySearch {
    double low_ratio = -0.5, high_ratio = 1.0;  ///< -1 < low < 0 < high
    double step_ratio = 0.02;  ///< of the walk outwards; a region of another outcome that is narrower may be missed
    double tolerance_ratio = 1e-5;  ///< to which the place of the boundary is bisected
};

struct OutcomeBoundary {
    double change_ratio = 0.0;       ///< signed; the smallest found whose outcome differs
    std::optional<Outcome> outcome;  ///< beyond the boundary; empty: the solution failed there
};

/// The boundary that is nearest in |change| on one axis alone; empty if there is none within the bounds, the base does
/// not move, or the solution for the motion as it is fails. Walks outwards on both sides at once and bisects the first
/// step whose end has another outcome. Throws std::invalid_argument as predict() does.
std::optional<OutcomeBoundary> nearest_boundary(const Specimen& specimen, const BaseMotion& motion,
                                                const SolverOptions& options, MotionAxis axis,
                                                const BoundarySearch& search = {});

}  // namespace topple::solver
