// The equations that an experiment file or --model may ask for, by name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "solver/options.hpp"

namespace topple::hil::experiment {

struct Experiment;

struct NamedModel {
    std::string_view name;
    solver::Model equations;
    solver::Integrator integrator = solver::Integrator::high_order;
};

std::vector<std::string> model_names();
/// Throws InputError listing the names there are.
const NamedModel& model_named(std::string_view name);

/// read_experiment() for these equations instead of the file's own (empty: its own): what only contact dynamics covers
/// (tall stacks, wide blocks on narrow ones, a start in flight, a flexible base) is refused for all others.
Experiment read_experiment_for(const std::filesystem::path& file, std::string_view model);
/// The same of a text that stands in the place of the file's.
Experiment read_experiment_text(std::string text, const std::filesystem::path& file, std::string_view model);

}  // namespace topple::hil::experiment
