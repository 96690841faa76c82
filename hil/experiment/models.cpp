#include "hil/experiment/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "hil/files/errors.hpp"

namespace topple::hil::experiment {
namespace {

constexpr NamedModel kModels[] = {
    {"full", solver::Model::automatic},
    {"newmark", solver::Model::rocking, solver::Integrator::newmark},
    {"slide_rock", solver::Model::slide_rock},
    {"linearised", solver::Model::linearised},
    {"quasi_linear", solver::Model::quasi_linear},
    {"impulsive_force", solver::Model::impulsive_force},
    {"multiple_impact", solver::Model::multiple_impact},
    {"contact_dynamics", solver::Model::contact_dynamics},
};

}  // namespace

std::vector<std::string> model_names() {
    std::vector<std::string> names;
    for (const NamedModel& model : kModels) names.emplace_back(model.name);
    return names;
}

const NamedModel& model_named(std::string_view name) {
    const auto* model = std::find_if(std::begin(kModels), std::end(kModels),
                                     [&](const NamedModel& candidate) { return candidate.name == name; });
    if (model == std::end(kModels))
        throw files::InputError(
            fmt::format("model \"{}\" is not known; allowed: {}", name, fmt::join(model_names(), ", ")));
    return *model;
}

}  // namespace topple::hil::experiment
