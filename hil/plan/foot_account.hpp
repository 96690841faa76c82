// What is told of an irregular body: its faces, on which it can rest, and what takes it from one to the next.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "solver/outcome.hpp"

namespace topple::hil::plan {

/// The key "foot" of a specimen in JSON documents (docs/irregular_bodies.md#account); null for one without a foot.
nlohmann::ordered_json foot_json(const experiment::Experiment& experiment, std::size_t specimen);

/// A few lines, each begun by two blanks and a label of `width` characters; empty for a specimen without a foot.
std::string foot_text(const experiment::Experiment& experiment, std::size_t specimen, int width);

/// What the half cycles of a foot lose from the end of its motion on (solver/study/foot_decay.hpp), of the specimen as
/// described; empty for a specimen without a foot.
std::vector<double> half_cycles(const experiment::Experiment& experiment, std::size_t specimen,
                                const solver::Prediction& prediction);

/// Does a foot come to rest on another face than the one on which it stood?
bool rests_elsewhere(const solver::Prediction& prediction, const solver::Specimen& specimen);

/// "<who> to another face of the foot and rests there: counted as rocking, ...": what it means, and the
/// Foot::overturned_rad that would count it as overturned. `specimen`: with a foot, as described.
std::string elsewhere_remark(const solver::Specimen& specimen, const std::string& who);

/// That the inertia is more than a body of this foot is likely to have; empty where it is not, and of a mesh.
std::string inertia_remark(const experiment::Experiment& experiment, std::size_t specimen);

/// " on face 2 of 5, turned by +0.3456 rad: not overturned (|theta| < pi/2), but it no longer stands on face 1": where
/// a foot came to rest; empty for a prediction that does not say.
std::string resting_words(const solver::Prediction& prediction, const solver::Specimen& specimen);

}  // namespace topple::hil::plan
