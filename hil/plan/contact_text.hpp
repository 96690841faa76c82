// Contact dynamics in words: what it was solved with, and how far it can be believed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "solver/outcome.hpp"

namespace topple::hil::plan {

/// At any of its interfaces.
bool has_friction(const solver::Specimen& specimen) noexcept;

/// Lines of the printed answer: time step, what half of it says, what was not solved. Empty for other models.
std::string contact_lines(const solver::Prediction& p, const solver::ContactDynamics& with);

/// What a person must be warned of for the specimen of this index: a time step that is coarse for the excitation, a
/// specimen without friction.
std::vector<std::string> contact_remarks(const experiment::Experiment& experiment, std::size_t i);

}  // namespace topple::hil::plan
