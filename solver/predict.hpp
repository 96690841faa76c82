// The whole prediction of one specimen along one motion, or of many.
#pragma once

#include <span>
#include <vector>

#include "solver/motion/base_motion.hpp"
#include "solver/options.hpp"
#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

/// Predict from t = 0 (specimen released there) along the motion and on until settled, overturned or
/// options.settle_limit_s after the end of both motions. With several pieces every break is honoured exactly. Where
/// only the outcome is asked for and the maps' method covers the case, that method is used: the same outcome, several
/// times faster.
Prediction predict(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options = {});
/// predict() by Model::contact_dynamics, followed step by step, and once more with half the time step: `contact` of the
/// result says whether that confirms it.
Prediction predict_confirmed(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options);
/// The rocking model with its contacts watched (a single block's friction, too); where it leaves its validity, contact
/// dynamics goes on from one time step before, and `contact` of the result says from when and whether half the time
/// step confirms it. `confirms`: also with half the time step. Nothing of the options' model is used.
Prediction predict_handing_over(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options,
                                bool confirms);
/// For each specimen the result of predict() with outcome_only, all along one motion at once: faster than one by one.
/// `scales`: how much stronger and faster the motion of each specimen is; empty: as it is. A vertical motion is as much
/// faster and no stronger. Throws std::invalid_argument if there are not as many scales as specimens.
std::vector<Prediction> predict_outcomes(std::span<const Specimen> specimens, const BaseMotion& motion,
                                         SolverOptions options = {}, std::span<const MotionScale> scales = {});
/// The same, always step by step, of one specimen and with everything that the options ask for.
Prediction follow_scaled(const Specimen& specimen, const BaseMotion& motion, const MotionScale& scale,
                         SolverOptions options = {});
/// predict(), always step by step.
Prediction follow(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options = {});

}  // namespace topple::solver
