#include "solver/predict.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "solver/engine/law.hpp"
#include "solver/lanes/outcomes_in_lanes.hpp"
#include "solver/run.hpp"

namespace topple::solver {
namespace {

/// The result of the maps' method for a single body, as a prediction.
Prediction outcome_as_prediction(const Specimen& specimen, const MapOutcome& outcome) {
    Prediction prediction;
    prediction.outcome = outcome.outcome;
    prediction.direction = outcome.direction;
    if (outcome.resting_face) prediction.resting_face = *outcome.resting_face;
    prediction.restitution = restitution_ratios(specimen);
    prediction.peak_rotation_rad = {std::numeric_limits<double>::quiet_NaN()};
    if (outcome.outcome == Outcome::translation) prediction.peak_rotation_rad = {0.0};
    if (outcome.outcome == Outcome::overturning) {
        prediction.peak_rotation_rad = {kHalfPi};
        prediction.blocks_overturned = {0};
    }
    return prediction;
}

}  // namespace

Prediction follow(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options) {
    RockingRun run(specimen, options);
    if (motion.start_s() > 0.0) run.coast(motion.start_s());
    for (const MotionPiece& piece : motion.pieces()) run.advance(piece, piece.end_s);
    const double vertical_end_s = options.vertical ? options.vertical->end_s() : 0.0;
    run.settle(std::max({run.time_s(), motion.end_s(), vertical_end_s}) + options.settle_limit_s);
    return run.result();
}

Prediction predict(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options) {
    if (options.outcome_only && options.history_step_s == 0.0) {
        validate(options);
        if (const auto outcome = outcome_in_lanes(specimen, motion, options))
            return outcome_as_prediction(specimen, *outcome);
    }
    return follow(specimen, motion, options);
}

Prediction follow_scaled(const Specimen& specimen, const BaseMotion& motion, const MotionScale& scale,
                         SolverOptions options) {
    if (!scale.changes()) return follow(specimen, motion, options);
    if (options.vertical)
        options.vertical = std::make_shared<const BaseMotion>(options.vertical->faster(scale.frequency));
    return follow(specimen, motion.scaled(scale), options);
}

std::vector<Prediction> predict_outcomes(std::span<const Specimen> specimens, const BaseMotion& motion,
                                         SolverOptions options, std::span<const MotionScale> scales) {
    if (!scales.empty() && scales.size() != specimens.size())
        throw std::invalid_argument("scales: " + std::to_string(scales.size()) + " given, allowed: none or " +
                                    std::to_string(specimens.size()) + ", one per specimen");
    options.outcome_only = true;
    options.history_step_s = 0.0;
    validate(options);
    const auto outcomes = outcomes_in_lanes(specimens, motion, options, scales);
    std::vector<Prediction> predictions;
    predictions.reserve(specimens.size());
    for (std::size_t i = 0; i < specimens.size(); ++i)
        predictions.push_back(
            outcomes[i] ? outcome_as_prediction(specimens[i], *outcomes[i])
                        : follow_scaled(specimens[i], motion, scales.empty() ? MotionScale{} : scales[i], options));
    return predictions;
}

}  // namespace topple::solver
