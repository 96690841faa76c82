#include "hil/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "hil/errors.hpp"
#include "solver/study/perturbation.hpp"
#include "solver/study/stability_map.hpp"

namespace topple::hil {
namespace {

struct Model {
    std::string_view name;
    solver::Integrator integrator;
};
constexpr Model kModels[] = {
    {"full", solver::Integrator::high_order},
    {"newmark", solver::Integrator::newmark},
};

/// Calls `work(index)` for 0..count-1 on several threads; the first exception is thrown again here.
template <typename Work>
void for_each_index(std::size_t count, unsigned threads, const Work& work) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto worker = [&] {
        try {
            for (std::size_t index = next++; index < count; index = next++) work(index);
        } catch (...) {
            next = count;
            const std::scoped_lock lock(failure_mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t helpers = std::min<std::size_t>(threads, std::max<std::size_t>(count, 1)) - 1;
    {
        std::vector<std::jthread> pool;
        for (std::size_t i = 0; i < helpers; ++i) pool.emplace_back(worker);
        worker();
    }
    if (failure) std::rethrow_exception(failure);
}

std::vector<EnsembleMember> predict_members(const solver::Specimen& specimen, const solver::BaseMotion& motion,
                                            solver::SolverOptions options, const PredictionRequest& request) {
    options.history_step_s = 0.0;
    options.outcome_only = true;
    // The method of the maps gives the same outcome several times faster, where it applies.
    const bool in_lanes = options.integrator == solver::Integrator::high_order && specimen.blocks.size() == 1 &&
                          !specimen.friction && !motion.empty();
    std::vector<EnsembleMember> members(request.ensemble);
    for_each_index(members.size(), request.threads, [&](std::size_t index) {
        const solver::Specimen member =
            solver::perturbed(specimen, solver::ensemble_member({}, request.seed, index));
        if (in_lanes) {
            const solver::MapOutcome outcome = solver::outcome_along(member, motion, options.gravity_m_s2);
            members[index] = {outcome.outcome, outcome.direction};
        } else {
            const solver::Prediction outcome = solver::predict(member, motion, options);
            members[index] = {outcome.outcome, outcome.direction};
        }
    });
    return members;
}

}  // namespace

std::vector<std::string> model_names() {
    std::vector<std::string> names;
    for (const Model& model : kModels) names.emplace_back(model.name);
    return names;
}

solver::SolverOptions solver_options(const Experiment& experiment, std::string_view name) {
    const auto* model = std::find_if(std::begin(kModels), std::end(kModels),
                                     [&](const Model& candidate) { return candidate.name == name; });
    if (model == std::end(kModels))
        throw InputError(fmt::format("model \"{}\" is not known; allowed: {}", name, fmt::join(model_names(), ", ")));
    solver::SolverOptions options;
    options.gravity_m_s2 = experiment.gravity_m_s2;
    options.integrator = model->integrator;
    return options;
}

ExperimentPrediction predict_experiment(const Experiment& experiment, const PredictionRequest& request) {
    solver::SolverOptions options = solver_options(experiment, request.model);
    options.history_step_s = request.history_step_s;
    const solver::BaseMotion& motion = experiment.excitation.planned_motion();
    ExperimentPrediction all;
    all.model = request.model;
    all.seed = request.seed;
    try {
        for (const solver::Specimen& specimen : experiment.specimens) {
            SpecimenPrediction one;
            one.prediction = solver::predict(specimen, motion, options);
            one.members = predict_members(specimen, motion, options, request);
            all.specimens.push_back(std::move(one));
        }
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("{}: {}", experiment.source.string(), error.what()));
    }
    return all;
}

}  // namespace topple::hil
