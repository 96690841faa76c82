// What is told of a body from a mesh: what was read, mended and weighed, and on which faces it can rest.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::plan {

/// The key "mesh" of a specimen in JSON documents (docs/mesh.md#account); null for one that is not from a mesh.
nlohmann::ordered_json mesh_json(const experiment::Experiment& experiment, std::size_t specimen);

/// A few lines, each begun by two blanks and a label of `width` characters; empty for a specimen without a mesh.
std::string mesh_text(const experiment::Experiment& experiment, std::size_t specimen, int width);

}  // namespace topple::hil::plan
