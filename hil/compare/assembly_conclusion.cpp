#include "hil/compare/assembly_conclusion.hpp"

#include "hil/compare/comparability.hpp"
#include "hil/compare/conclusion.hpp"
#include "hil/compare/predicted_rotation.hpp"
#include "hil/plan/assembly_prediction.hpp"
#include "solver/assembly/assembly_run.hpp"

namespace topple::hil::compare {
namespace {

constexpr double kHistoryStep_s = 0.005;
constexpr double kBlindClock_s = 0.01;  // a blind prediction cannot know how late the table will be

solver::AssemblyPrediction earlier(solver::AssemblyPrediction prediction, double lead_s) {
    prediction.end_time_s -= lead_s;
    prediction.status_time_s -= lead_s;
    if (prediction.settled_time_s) *prediction.settled_time_s -= lead_s;
    for (solver::AssemblyImpact& impact : prediction.impacts) impact.time_s -= lead_s;
    for (solver::AssemblySample& sample : prediction.history) sample.time_s -= lead_s;
    return prediction;
}

solver::AssemblyOptions options_of(const experiment::Experiment& experiment) {
    solver::AssemblyOptions options;
    options.gravity_m_s2 = experiment.gravity_m_s2;
    options.history_step_s = kHistoryStep_s;
    return options;
}

/// The achieved motion, from a little before t = 0 on.
solver::BaseMotion led(const AchievedMotion& motion) {
    return motion.base_motion(-kPredictionLead_s).shifted(kPredictionLead_s);
}

solver::AssemblyPrediction along(const solver::Assembly& assembly, const solver::BaseMotion& led_motion,
                                 const solver::AssemblyOptions& options) {
    return earlier(solver::follow(assembly, led_motion, options), kPredictionLead_s);
}

/// Why nothing can be judged; empty if it can.
std::string why_not(const Conclusion& c, const solver::AssemblyPrediction& predicted, std::string not_comparable) {
    if (!not_comparable.empty()) return not_comparable;
    if (predicted.status != solver::SolverStatus::ok)
        return std::string("the prediction failed: ") + std::string(solver::name(predicted.status));
    if (!(assembly_free_length_m(*c.experiment.assembly) > solver::kTouching_m))
        return "the blocks fill the basin and cannot move in it";
    return {};
}

AssemblyComparison judged(const AssemblyComparisonInput& input, const std::string& reason) {
    if (reason.empty()) return compare_assembly(input);
    AssemblyComparison comparison;
    comparison.agreement.reasons.push_back(reason);
    return comparison;
}

}  // namespace

std::optional<AssemblyConclusion> conclude_assembly(const experiment::Experiment& experiment,
                                                    const AchievedMotion& motion) {
    if (!experiment.assembly) return std::nullopt;
    AssemblyConclusion conclusion;
    conclusion.planned = plan::predict_assembly(experiment, kHistoryStep_s);
    for (AssemblyComparison* comparison : {&conclusion.blind, &conclusion.comparison})
        comparison->agreement.reasons.push_back("nothing was measured: no camera (topple compare RUN --positions CSV)");
    if (!motion.empty()) conclusion.achieved = along(*experiment.assembly, led(motion), options_of(experiment));
    return conclusion;
}

void judge_assembly(Conclusion& c, const CameraPositions& seen, const CameraSetup& setup) {
    const solver::Assembly& assembly = *c.experiment.assembly;
    AssemblyConclusion& conclusion = *c.assembly;
    std::vector<double> edges_s;
    if (c.trigger.rose_at_s && c.trigger.fell_at_s) edges_s = {*c.trigger.rose_at_s, *c.trigger.fell_at_s};
    const double motion_end_s =
        c.motion.empty() ? c.experiment.excitation.planned_motion().end_s() : c.window.motion_end_s;
    conclusion.measured = positions_in_basin(seen, setup, assembly, c.motion, motion_end_s, edges_s);
    conclusion.source = MeasurementSource::camera;
    const solver::AssemblyOptions options = options_of(c.experiment);
    const solver::BaseMotion& plan = c.experiment.excitation.planned_motion();
    const auto planned_member = [&](std::size_t index) {
        const AssemblyDraw draw = draw_assembly(assembly, c.experiment.uncertainty, index);
        return solver::follow(draw.assembly, plan.scaled(draw.motion), options);
    };
    conclusion.blind = judged({assembly, conclusion.planned, *conclusion.measured, planned_member, kBlindClock_s},
                              why_not(c, conclusion.planned, not_comparable_with_plan(c)));
    conclusion.comparison = conclusion.blind;
    for (const std::string& remark : conclusion.measured->remarks) c.remarks.push_back(remark);
    if (!conclusion.achieved) return;
    const solver::BaseMotion achieved = led(c.motion);
    const auto achieved_member = [&](std::size_t index) {
        return along(draw_assembly(assembly, c.experiment.uncertainty, index).assembly, achieved, options);
    };
    conclusion.comparison = judged({assembly, *conclusion.achieved, *conclusion.measured, achieved_member},
                                   why_not(c, *conclusion.achieved, not_comparable(c)));
}

}  // namespace topple::hil::compare
