#include "hil/compare/predicted_rotation.hpp"

#include <algorithm>
#include <limits>

#include "hil/signal/zero_phase.hpp"
#include "solver/study/history_step.hpp"

namespace topple::hil::compare {
namespace {

using signal::EvenGrid;
using solver::Prediction;

void shift_times(Prediction& prediction, double later_s) {
    if (prediction.overturn_time_s) *prediction.overturn_time_s += later_s;
    if (prediction.settled_time_s) *prediction.settled_time_s += later_s;
    prediction.status_time_s += later_s;
    for (solver::Impact& impact : prediction.impacts) impact.time_s += later_s;
    for (solver::HistorySample& sample : prediction.history) sample.time_s += later_s;
}

// A failed solution is unknown from there on.
void end_at(double time_s, const EvenGrid& grid, std::vector<double>& rotation_rad) {
    for (std::size_t i = 0; i < grid.count; ++i)
        if (grid.time_s(i) > time_s) rotation_rad[i] = std::numeric_limits<double>::quiet_NaN();
}

PredictedRotation lay_on_grid(Prediction prediction, const solver::Specimen& specimen, const EvenGrid& grid) {
    PredictedRotation result;
    std::vector<double> time_s;
    for (const auto& sample : prediction.history) time_s.push_back(sample.time_s);
    for (std::size_t block = 0; block < specimen.blocks.size(); ++block) {
        std::vector<double> rotation_rad;
        for (const auto& sample : prediction.history) rotation_rad.push_back(sample.rotation_rad[block]);
        signal::SampleGaps gaps;
        const signal::Samples samples = signal::clean_samples(time_s, rotation_rad, grid.step_s, gaps);
        std::vector<double> on_grid = signal::resample_linear(samples, grid);
        const auto& initial = specimen.initial_rotation_rad;
        for (std::size_t i = 0; i < grid.count && grid.time_s(i) < 0.0; ++i)
            on_grid[i] = block < initial.size() ? initial[block] : 0.0;
        result.filtered_rad.push_back(signal::zero_phase_low_pass(on_grid, 1.0 / grid.step_s, kMotionBandwidth_hz));
        if (!prediction.outcome) end_at(prediction.status_time_s, grid, result.filtered_rad.back());
    }
    result.prediction = std::move(prediction);
    return result;
}

solver::SolverOptions options_for(const solver::Specimen& specimen, const solver::BaseMotion& motion,
                                  const EvenGrid& grid, double gravity_m_s2) {
    solver::SolverOptions options;
    options.gravity_m_s2 = gravity_m_s2;
    options.history_step_s = std::min(0.002, solver::history_step_s(specimen, motion, gravity_m_s2));
    if (grid.step_s > 0.0) options.history_step_s = std::min(options.history_step_s, grid.step_s);
    return options;
}

}  // namespace

bool is_released(const solver::Specimen& specimen) {
    return std::any_of(specimen.initial_rotation_rad.begin(), specimen.initial_rotation_rad.end(),
                       [](double rotation) { return rotation != 0.0; });
}

solver::Prediction predict_along(const solver::Specimen& specimen, const AchievedMotion& motion,
                                 const solver::SolverOptions& options) {
    const double lead_s = is_released(specimen) ? 0.0 : kPredictionLead_s;
    Prediction prediction = solver::predict(specimen, motion.base_motion(-lead_s).shifted(lead_s), options);
    shift_times(prediction, -lead_s);
    return prediction;
}

PredictedRotation predict_planned(const solver::Specimen& specimen, const solver::BaseMotion& motion,
                                  const EvenGrid& grid, double gravity_m_s2) {
    return lay_on_grid(solver::predict(specimen, motion, options_for(specimen, motion, grid, gravity_m_s2)), specimen,
                       grid);
}

PredictedRotation predict_achieved(const solver::Specimen& specimen, const AchievedMotion& motion,
                                   double gravity_m_s2) {
    const solver::BaseMotion base = motion.base_motion(is_released(specimen) ? 0.0 : -kPredictionLead_s);
    return lay_on_grid(predict_along(specimen, motion, options_for(specimen, base, motion.grid, gravity_m_s2)),
                       specimen, motion.grid);
}

plan::OutcomeSensitivity outcome_sensitivity(const solver::Specimen& specimen, const AchievedMotion& motion,
                                             double gravity_m_s2) {
    plan::OutcomeSensitivity sensitivity;
    AchievedMotion varied = motion;
    solver::SolverOptions options;
    options.gravity_m_s2 = gravity_m_s2;
    const auto add = [&](const char* name) {
        const Prediction prediction = predict_along(specimen, varied, options);
        double peak_rad = 0.0;
        for (const double peak : prediction.peak_rotation_rad) peak_rad = std::max(peak_rad, peak);
        sensitivity.motions.push_back({name, prediction.outcome, peak_rad});
    };
    add("fused");
    for (const fused_motion::Variant& variant : motion.fusion->variants) {
        varied.achieved.acceleration_m_s2 =
            signal::zero_phase_low_pass(variant.acceleration_m_s2, 1.0 / motion.grid.step_s, motion.bandwidth_hz);
        add(variant.name);
    }
    return sensitivity;
}

}  // namespace topple::hil::compare
