#include "hil/plan/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"
#include "hil/host/for_each_index.hpp"
#include "hil/plan/ensemble.hpp"

namespace topple::hil::plan {
namespace {

using experiment::Excitation;
using experiment::Experiment;
using files::InputError;

/// The name under which a specimen's prediction is reported.
std::string model_used(const solver::Specimen& specimen, std::string_view asked, solver::Model equations) {
    return solver::model_for(specimen, equations) == solver::Model::slide_rock ? "slide_rock" : std::string(asked);
}

/// Along the planned motion, or coupled with the slider that the file describes.
solver::Prediction predict_one(const solver::Specimen& specimen, const Excitation& excitation,
                               const solver::SolverOptions& options) {
    if (excitation.coupled) return solver::predict_coupled(specimen, *excitation.air_track, options);
    return solver::predict(specimen, excitation.planned_motion(), options);
}

/// What the coupling does, whichever of the two the file asks for; nothing if the coupled model does not cover it.
std::optional<CouplingPrediction> predict_coupling(const Experiment& experiment, solver::SolverOptions options) {
    const Excitation& excitation = experiment.excitation;
    if (!excitation.air_track || experiment.specimens.size() != 1) return std::nullopt;
    const solver::Specimen& specimen = experiment.specimens.front();
    const bool leans = specimen.initial_tilt_rad != 0.0 || specimen.initial_rotation_rad != std::vector<double>{0.0};
    if (specimen.blocks.size() != 1 || specimen.friction || leans || solver::starts_turning(specimen) ||
        options.vertical)
        return std::nullopt;
    options.history_step_s = 0.0;
    options.outcome_only = true;
    options.model = solver::Model::automatic;
    CouplingPrediction coupling;
    coupling.prescribed_outcome = solver::predict(specimen, excitation.motion, options).outcome;
    coupling.coupled_outcome = solver::predict_coupled(specimen, *excitation.air_track, options).outcome;
    coupling.critical = solver::critical_drop(specimen, *excitation.air_track, options);
    return coupling;
}

void require_coupled_model(const Experiment& experiment, std::string_view model) {
    if (!experiment.excitation.coupled) return;
    if (model != "full") throw InputError(fmt::format("model \"{}\": a coupled air track allows \"full\" only", model));
    if (experiment.specimens.size() != 1)
        throw InputError(
            fmt::format("{} specimens: a coupled air track carries only one", experiment.specimens.size()));
    if (experiment.vertical_excitation.type != "none")
        throw InputError("[vertical_excitation]: a coupled air track has no vertical motion");
}

/// Outcomes along each member's motion, all at once, or one by one coupled with the slider.
std::vector<solver::Prediction> predict_lot(const std::vector<solver::Specimen>& specimens,
                                            const std::vector<solver::MotionScale>& scales,
                                            const Excitation& excitation, const solver::SolverOptions& options) {
    if (!excitation.coupled) return solver::predict_outcomes(specimens, excitation.planned_motion(), options, scales);
    std::vector<solver::Prediction> predictions;
    for (const solver::Specimen& specimen : specimens)
        predictions.push_back(solver::predict_coupled(specimen, *excitation.air_track, options));
    return predictions;
}

std::vector<EnsembleMember> predict_members(const solver::Specimen& specimen, const Experiment& experiment,
                                            const experiment::UncertaintySection& uncertainty,
                                            solver::SolverOptions options, const PredictionRequest& request) {
    options.history_step_s = 0.0;
    options.outcome_only = true;
    constexpr std::size_t kTogether = 64;  // enough to keep the solver's lanes busy, few enough to share out
    std::vector<EnsembleMember> members(request.ensemble);
    host::for_each_index((members.size() + kTogether - 1) / kTogether, request.threads, [&](std::size_t lot) {
        const std::size_t first = lot * kTogether, end = std::min(first + kTogether, members.size());
        std::vector<solver::Specimen> specimens;
        std::vector<solver::MotionScale> scales;
        for (std::size_t index = first; index < end; ++index) {
            EnsembleDraw drawn = draw_member(specimen, uncertainty, index, MotionIs::planned);
            scales.push_back(drawn.motion_scale());
            specimens.push_back(std::move(drawn.specimen));
        }
        const std::vector<solver::Prediction> outcomes = predict_lot(specimens, scales, experiment.excitation, options);
        for (std::size_t i = 0; i < outcomes.size(); ++i)
            members[first + i] = {outcomes[i].outcome, outcomes[i].direction};
    });
    return members;
}

}  // namespace

solver::SolverOptions solver_options(const Experiment& experiment, std::string_view name) {
    const experiment::NamedModel& model = experiment::model_named(name);
    solver::SolverOptions options;
    options.gravity_m_s2 = experiment.gravity_m_s2;
    options.model = model.equations;
    options.integrator = model.integrator;
    if (experiment.vertical_excitation.type != "none")
        options.vertical = std::make_shared<const solver::BaseMotion>(experiment.vertical_excitation.planned_motion());
    return options;
}

ExperimentPrediction predict_experiment(const Experiment& experiment, const PredictionRequest& request) {
    const std::string model = request.model.empty() ? experiment.model : request.model;
    solver::SolverOptions options = solver_options(experiment, model);
    options.history_step_s = request.history_step_s;
    require_coupled_model(experiment, model);
    ExperimentPrediction all;
    all.model = model;
    all.uncertainty = experiment.uncertainty;
    if (request.seed) all.uncertainty.seed = *request.seed;
    try {
        for (const solver::Specimen& specimen : experiment.specimens) {
            SpecimenPrediction one;
            one.model = model_used(specimen, model, options.model);
            one.prediction = predict_one(specimen, experiment.excitation, options);
            one.members = predict_members(specimen, experiment, all.uncertainty, options, request);
            all.specimens.push_back(std::move(one));
        }
        all.coupling = predict_coupling(experiment, options);
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("{}: {}", experiment.source.string(), error.what()));
    }
    return all;
}

}  // namespace topple::hil::plan
