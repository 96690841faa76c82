// A prediction laid beside the measurement: rotations on the same grid and through the same filter.
#pragma once

#include <vector>

#include "hil/compare/achieved_motion.hpp"
#include "hil/plan/outcome_sensitivity.hpp"
#include "hil/signal/even_grid.hpp"
#include "solver/predict.hpp"

namespace topple::hil::compare {

struct PredictedRotation {
    solver::Prediction prediction;                  ///< times from the first setpoint
    std::vector<std::vector<double>> filtered_rad;  ///< per block, on the grid; the initial rotation before t = 0
};

/// Time before t = 0 from which the achieved motion is given to the solver: the zero-phase filter spreads a
/// step of acceleration over about 8 ms to both sides. A specimen released from a tilt starts at t = 0
/// exactly.
inline constexpr double kPredictionLead_s = 0.03;

bool is_released(const solver::Specimen& specimen);  ///< from a tilt, at t = 0

/// Along what the platen really did, times from the first setpoint; `options.history_step_s` as given.
solver::Prediction predict_along(const solver::Specimen& specimen, const AchievedMotion& motion,
                                 const solver::SolverOptions& options);

/// Prediction of a motion in closed form that starts at t = 0.
PredictedRotation predict_planned(const solver::Specimen& specimen, const solver::BaseMotion& motion,
                                  const signal::EvenGrid& grid, double gravity_m_s2);
/// Prediction of what the platen really did.
PredictedRotation predict_achieved(const solver::Specimen& specimen, const AchievedMotion& motion, double gravity_m_s2);

/// The specimen as described along the achieved motion and every variant of it. Needs motion.fusion.
plan::OutcomeSensitivity outcome_sensitivity(const solver::Specimen& specimen, const AchievedMotion& motion,
                                             double gravity_m_s2);

}  // namespace topple::hil::compare
