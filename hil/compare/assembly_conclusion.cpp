#include "hil/compare/assembly_conclusion.hpp"

#include "hil/compare/predicted_rotation.hpp"
#include "hil/plan/assembly_prediction.hpp"
#include "solver/assembly/assembly_run.hpp"

namespace topple::hil::compare {
namespace {

constexpr double kHistoryStep_s = 0.005;

solver::AssemblyPrediction earlier(solver::AssemblyPrediction prediction, double lead_s) {
    prediction.end_time_s -= lead_s;
    prediction.status_time_s -= lead_s;
    if (prediction.settled_time_s) *prediction.settled_time_s -= lead_s;
    for (solver::AssemblyImpact& impact : prediction.impacts) impact.time_s -= lead_s;
    for (solver::AssemblySample& sample : prediction.history) sample.time_s -= lead_s;
    return prediction;
}

}  // namespace

std::optional<AssemblyConclusion> conclude_assembly(const experiment::Experiment& experiment,
                                                    const AchievedMotion& motion) {
    if (!experiment.assembly) return std::nullopt;
    AssemblyConclusion conclusion{plan::predict_assembly(experiment, kHistoryStep_s), std::nullopt};
    if (motion.empty()) return conclusion;
    solver::AssemblyOptions options;
    options.gravity_m_s2 = experiment.gravity_m_s2;
    options.history_step_s = kHistoryStep_s;
    conclusion.achieved =
        earlier(solver::follow(*experiment.assembly, motion.base_motion(-kPredictionLead_s).shifted(kPredictionLead_s),
                               options),
                kPredictionLead_s);
    return conclusion;
}

}  // namespace topple::hil::compare
