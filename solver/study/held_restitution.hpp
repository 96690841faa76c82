// Members of an ensemble whose ratios of rotation rates are held where the energy ends.
#pragma once

#include "solver/study/perturbation.hpp"

namespace topple::solver {

/// Does perturbed() hold a ratio of this member at its upper limit, 1 or what keeps all energy? An ensemble of which
/// many are held is one-sided. Throws as perturbed().
bool restitution_is_held(const Specimen& specimen, const Perturbation& perturbation);

}  // namespace topple::solver
