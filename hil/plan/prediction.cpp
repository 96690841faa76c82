#include "hil/plan/prediction.hpp"

#include "hil/plan/assembly_prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "hil/experiment/axis_motions.hpp"
#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"
#include "hil/host/for_each_index.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/plan/foot_account.hpp"
#include "hil/plan/member_shares.hpp"
#include "solver/study/history_step.hpp"

namespace topple::hil::plan {
namespace {

using experiment::Excitation;
using experiment::Experiment;
using files::InputError;

constexpr std::size_t kTogether = 50;  // enough to keep the solver's lanes busy, few enough to share out

/// The name under which a specimen's prediction is reported.
std::string model_used(const solver::Specimen& specimen, std::string_view asked, solver::Model equations) {
    return solver::model_for(specimen, equations) == solver::Model::slide_rock ? "slide_rock" : std::string(asked);
}

/// Along the planned motion, or coupled with the slider that the file describes.
solver::Prediction predict_one(const solver::Specimen& specimen, const Excitation& excitation,
                               const solver::SolverOptions& options, bool after_validity) {
    if (excitation.coupled) return solver::predict_coupled(specimen, *excitation.air_track, options);
    if (after_validity) return solver::predict_handing_over(specimen, excitation.planned_motion(), options, true);
    if (options.model == solver::Model::contact_dynamics)
        return solver::predict_confirmed(specimen, excitation.planned_motion(), options);
    return solver::predict(specimen, excitation.planned_motion(), options);
}

/// The pulse alone, if a table's braking follows it in what is predicted.
std::optional<Unbraked> predict_unbraked(const solver::Specimen& specimen, const Excitation& excitation,
                                         solver::SolverOptions options, const solver::Prediction& braked) {
    if (excitation.type != "constant" || !excitation.table_motion || !braked.outcome) return std::nullopt;
    options.history_step_s = 0.0;
    options.outcome_only = true;
    const solver::Prediction alone = solver::predict(specimen, excitation.motion, options);
    return Unbraked{alone.outcome, alone.direction,
                    alone.outcome == braked.outcome && alone.direction == braked.direction};
}

/// What the coupling does, whichever of the two the file asks for; nothing if the coupled model does not cover it.
std::optional<CouplingPrediction> predict_coupling(const Experiment& experiment, solver::SolverOptions options) {
    const Excitation& excitation = experiment.excitation;
    if (!excitation.air_track || experiment.specimens.size() != 1) return std::nullopt;
    const solver::Specimen& specimen = experiment.specimens.front();
    const bool leans = specimen.initial_tilt_rad != 0.0 || specimen.initial_rotation_rad != std::vector<double>{0.0};
    if (!experiment::is_planar(experiment)) return std::nullopt;
    if (specimen.blocks.size() != 1 || specimen.foot || specimen.friction || leans ||
        solver::starts_turning(specimen) || options.vertical)
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
    if (!experiment::is_planar(experiment))
        throw InputError("plane_angle_rad: a coupled air track carries a block that rocks in the plane of its motion");
    if (experiment.vertical_excitation.type != "none")
        throw InputError("[vertical_excitation]: a coupled air track has no vertical motion");
}

void require_hand_over(const Experiment& experiment, std::string_view model) {
    if (model != "full")
        throw InputError(fmt::format(
            "--after-validity: the model is \"{}\", of --model or of the file; allowed: \"full\": add --model full",
            model));
    if (experiment.excitation.coupled) throw InputError("--after-validity: not with a coupled air track");
    for (const solver::Specimen& specimen : experiment.specimens)
        if (specimen.pivots)
            throw InputError(
                "--after-validity: pivots: contact_dynamics is for rectangular blocks, with width_m and height_m");
}

/// Outcomes along each member's motion, all at once, or one by one coupled with the slider.
std::vector<solver::Prediction> predict_lot(const std::vector<EnsembleDraw>& drawn, const Excitation& excitation,
                                            const solver::SolverOptions& options, bool after_validity) {
    std::vector<solver::Prediction> predictions;
    if (after_validity) {
        for (const EnsembleDraw& member : drawn)
            predictions.push_back(solver::predict_handing_over(
                member.specimen, excitation.planned_motion().scaled(member.motion_scale()), options, false));
        return predictions;
    }
    if (excitation.coupled) {
        for (const EnsembleDraw& member : drawn)
            predictions.push_back(solver::predict_coupled(member.specimen, *excitation.air_track, options));
        return predictions;
    }
    if (!options.outcome_only) {
        for (const EnsembleDraw& member : drawn)
            predictions.push_back(
                solver::follow_scaled(member.specimen, excitation.planned_motion(), member.motion_scale(), options));
        return predictions;
    }
    std::vector<solver::Specimen> specimens;
    std::vector<solver::MotionScale> scales;
    for (const EnsembleDraw& member : drawn) {
        specimens.push_back(member.specimen);
        scales.push_back(member.motion_scale());
    }
    return solver::predict_outcomes(specimens, excitation.planned_motion(), options, scales);
}

EnsembleMember member_of(const solver::Prediction& prediction, const EnsembleDraw& drawn) {
    return {prediction.outcome, prediction.direction, drawn.weight, rests_elsewhere(prediction, drawn.specimen)};
}

/// Fills members and spread. The first kFollowedMax members are followed to the end; the outcome may be certain even
/// where that fails.
void predict_members(SpecimenPrediction& result, const solver::Specimen& specimen, const Excitation& excitation,
                     const experiment::UncertaintySection& uncertainty, solver::SolverOptions options,
                     const PredictionRequest& request) {
    options.history_step_s = 0.0;
    static_assert(kFollowedMax % kTogether == 0);
    result.members.resize(request.ensemble);
    std::vector<solver::Prediction> followed(std::min(request.ensemble, kFollowedMax));
    host::for_each_index((request.ensemble + kTogether - 1) / kTogether, request.threads, [&](std::size_t lot) {
        if (request.stop && *request.stop) throw Stopped("stopped before all members were predicted");
        const std::size_t first = lot * kTogether, end = std::min(first + kTogether, request.ensemble);
        std::vector<EnsembleDraw> drawn;
        for (std::size_t index = first; index < end; ++index)
            drawn.push_back(draw_member(specimen, uncertainty, index, MotionIs::planned));
        solver::SolverOptions of_lot = options;
        of_lot.outcome_only = first >= kFollowedMax;
        std::vector<solver::Prediction> predictions = predict_lot(drawn, excitation, of_lot, request.after_validity);
        of_lot.outcome_only = true;
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            if (first < kFollowedMax) followed[first + i] = predictions[i];
            if (!predictions[i].outcome)
                predictions[i] = predict_lot({drawn[i]}, excitation, of_lot, request.after_validity).front();
            result.members[first + i] = member_of(predictions[i], drawn[i]);
        }
    });
    std::vector<double> weights;
    if (is_weighted(result.members))
        for (std::size_t i = 0; i < followed.size(); ++i) weights.push_back(result.members[i].weight);
    result.spread = spread_of(followed, weights);
}

std::optional<NearestBoundaries> find_boundaries(const SpecimenPrediction& result, const solver::Specimen& specimen,
                                                 const Excitation& excitation, solver::SolverOptions options) {
    const solver::BaseMotion& motion = excitation.planned_motion();
    if (excitation.coupled || motion.empty() || !result.prediction.outcome) return std::nullopt;
    options.history_step_s = 0.0;
    NearestBoundaries nearest;
    nearest.amplitude =
        solver::nearest_boundary(specimen, motion, options, solver::MotionAxis::amplitude, nearest.searched);
    nearest.frequency =
        solver::nearest_boundary(specimen, motion, options, solver::MotionAxis::frequency, nearest.searched);
    return nearest;
}

}  // namespace

solver::SolverOptions solver_options(const Experiment& experiment, std::string_view name) {
    const experiment::NamedModel& model = experiment::model_named(name);
    solver::SolverOptions options;
    options.gravity_m_s2 = experiment.gravity_m_s2;
    options.model = model.equations;
    options.integrator = model.integrator;
    options.contact = experiment.contact_dynamics;
    options.multiple_impact = experiment.multiple_impact;
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
    require_ensemble_size(all.uncertainty, request.ensemble, "--ensemble");
    if (request.after_validity) require_hand_over(experiment, model);
    try {
        for (std::size_t i = 0; i < experiment.specimens.size(); ++i) {
            const solver::Specimen& specimen = experiment.specimens[i];
            const Excitation excitation =
                experiment::excitation_along(experiment, experiment::plane_angle_rad(experiment, i));
            SpecimenPrediction one;
            one.model = request.after_validity ? model : model_used(specimen, model, options.model);
            one.prediction = predict_one(specimen, excitation, options, request.after_validity);
            one.unbraked = predict_unbraked(specimen, excitation, options, one.prediction);
            if (options.model == solver::Model::multiple_impact)
                one.bouncing = BouncingReport{
                    solver::apparent_restitution(specimen.blocks.at(0), one.prediction.turning_points),
                    solver::rounding_effect(specimen, excitation.planned_motion(), options, one.prediction)};
            predict_members(one, specimen, excitation, all.uncertainty, options, request);
            if (request.ensemble > 0 && !request.after_validity)
                one.boundaries = find_boundaries(one, specimen, excitation, options);
            all.specimens.push_back(std::move(one));
        }
        if (experiment.assembly) {
            all.assembly = predict_assembly(experiment, request.history_step_s);
        }
        all.coupling = predict_coupling(experiment, options);
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("{}: {}", experiment.source.string(), error.what()));
    }
    return all;
}

double history_step_s(const Experiment& experiment) {
    double step_s = solver::history_step_s({}, {}, experiment.gravity_m_s2);
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) {
        const double own_s = solver::history_step_s(experiment.specimens[i], experiment.excitation.planned_motion(),
                                                    experiment.gravity_m_s2);
        step_s = i == 0 ? own_s : std::min(step_s, own_s);
    }
    return step_s;
}

solver::Prediction predict_specimen(const Experiment& experiment, std::size_t index, std::string_view model,
                                    bool outcome_only) {
    if (model.empty()) model = experiment.model;
    if (index >= experiment.specimens.size())
        throw InputError(fmt::format("{}: specimen {}: there are {}, counted from 0", experiment.source.string(), index,
                                     experiment.specimens.size()));
    solver::SolverOptions options = solver_options(experiment, model);
    options.outcome_only = outcome_only;
    require_coupled_model(experiment, model);
    try {
        return predict_one(experiment.specimens[index],
                           experiment::excitation_along(experiment, experiment::plane_angle_rad(experiment, index)),
                           options, false);
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("{}: {}", experiment.source.string(), error.what()));
    }
}

OutcomePrediction predict_outcomes_of(const Experiment& experiment, std::size_t index,
                                      const PredictionRequest& request) {
    const std::string model = request.model.empty() ? experiment.model : request.model;
    solver::SolverOptions options = solver_options(experiment, model);
    options.outcome_only = true;
    require_coupled_model(experiment, model);
    experiment::UncertaintySection uncertainty = experiment.uncertainty;
    if (request.seed) uncertainty.seed = *request.seed;
    require_ensemble_size(uncertainty, request.ensemble, "--members");
    try {
        const solver::Specimen& specimen = experiment.specimens.at(index);
        const Excitation excitation =
            experiment::excitation_along(experiment, experiment::plane_angle_rad(experiment, index));
        OutcomePrediction result{model_used(specimen, model, options.model),
                                 predict_one(specimen, excitation, options, false).outcome,
                                 std::vector<EnsembleMember>(request.ensemble)};
        host::for_each_index((request.ensemble + kTogether - 1) / kTogether, request.threads, [&](std::size_t lot) {
            const std::size_t first = lot * kTogether, end = std::min(first + kTogether, request.ensemble);
            std::vector<EnsembleDraw> drawn;
            for (std::size_t member = first; member < end; ++member)
                drawn.push_back(draw_member(specimen, uncertainty, member, MotionIs::planned));
            const auto predictions = predict_lot(drawn, excitation, options, false);
            for (std::size_t i = 0; i < predictions.size(); ++i)
                result.members[first + i] = member_of(predictions[i], drawn[i]);
        });
        return result;
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("{}: {}", experiment.source.string(), error.what()));
    }
}

}  // namespace topple::hil::plan
