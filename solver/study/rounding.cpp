#include "solver/study/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver {

namespace {

/// Of a body that is no block: its smaller one.
double slenderness_rad(const Specimen& specimen, std::size_t block) {
    const auto pivots = pivots_of(specimen);
    return pivots ? std::min(pivots->alpha_left_rad, pivots->alpha_right_rad)
                  : specimen.blocks.at(block).slenderness_rad();
}

}  // namespace

RoundingEffect rounding_effect(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options,
                               const Prediction& prediction) {
    constexpr double kFactor = 1.0 + kRoundingNudge;
    Specimen nudged = specimen;
    for (double& rotation : nudged.initial_rotation_rad) rotation *= kFactor;
    for (double& rate : nudged.initial_rotation_rate_rad_s) rate *= kFactor;
    SolverOptions nudged_options = options;
    nudged_options.history_step_s = 0.0;
    if (auto& velocity = nudged.initial_velocity_m_s)
        for (double& component : *velocity) component *= kFactor;
    const Prediction other = predict(nudged, motion.scaled(kFactor), nudged_options);
    RoundingEffect effect;
    effect.outcome_differs = other.outcome != prediction.outcome || other.direction != prediction.direction;
    const auto &a = prediction.turning_points, &b = other.turning_points;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const double alpha = slenderness_rad(specimen, a[i].block);
        if (std::abs(a[i].rotation_rad - b[i].rotation_rad) <= kPartedOfAlpha * alpha) continue;
        effect.parts_from_s = a[i].time_s;
        break;
    }
    return effect;
}

std::vector<double> apparent_restitution(const Block& block, const std::vector<TurningPoint>& turning_points) {
    const double alpha = block.slenderness_rad();
    const auto height = [&](double rotation) { return std::cos(alpha - std::abs(rotation)) - std::cos(alpha); };
    std::vector<double> ratios;
    double before = 0.0;  // the farthest turning point of the present side
    double farthest = 0.0;
    for (const TurningPoint& turn : turning_points) {
        const double rotation = turn.rotation_rad;
        if (farthest * rotation < 0.0) {
            if (before != 0.0) ratios.push_back(std::sqrt(height(farthest) / height(before)));
            before = farthest;
            farthest = rotation;
        } else if (std::abs(rotation) > std::abs(farthest)) {
            farthest = rotation;
        }
    }
    if (before != 0.0 && farthest != 0.0) ratios.push_back(std::sqrt(height(farthest) / height(before)));
    return ratios;
}

}  // namespace topple::solver
