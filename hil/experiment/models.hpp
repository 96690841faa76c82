// The equations that an experiment file or --model may ask for, by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solver/options.hpp"

namespace topple::hil::experiment {

struct NamedModel {
    std::string_view name;
    solver::Model equations;
    solver::Integrator integrator = solver::Integrator::high_order;
};

std::vector<std::string> model_names();
/// Throws InputError listing the names there are.
const NamedModel& model_named(std::string_view name);

}  // namespace topple::hil::experiment
