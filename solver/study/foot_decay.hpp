// How fast the free rocking of an irregular body decays, with every face that it meets on its way.
#pragma once

#include <vector>

#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

/// sqrt(E_(k+1)/E_k) of successive half cycles of a body on a foot, on a base at constant velocity: E is the height of
/// the mass centre at a turning point above the lowest place between the two, on the specimen's seat. On two corners it
/// is the ratio of the rates at the impact; on more it is what a body of two corners would need to decay as fast.
/// Turning points before `free_from_s` do not count; a release from rest at time 0 counts as one. Extremes with no face
/// between them that lies lower than both belong to one half cycle, that of the higher. Ends where the body rises by
/// less than 1e-9 of its height. Empty for a specimen without a foot.
std::vector<double> apparent_restitution(const Specimen& specimen, const std::vector<TurningPoint>& turning_points,
                                         double free_from_s);

}  // namespace topple::solver
