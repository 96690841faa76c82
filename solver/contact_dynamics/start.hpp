// How the blocks stand and move when contact dynamics takes over.
#pragma once

#include <optional>
#include <vector>

#include "solver/contact_dynamics/beam.hpp"
#include "solver/contact_dynamics/contact_search.hpp"
#include "solver/options.hpp"
#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::solver::contact {

/// Rotations and rates of blocks that stand on each other's corners as the rocking models describe them.
struct Posture {
    double time_s = 0.0;
    std::vector<double> rotation_rad, rate_rad_s;  ///< absolute, per block that stands
    std::vector<Support> support;
    double slip_m = 0.0, slip_rate_m_s = 0.0;  ///< of the lowest block's foot on the base, along +x
};

/// As the specimen starts: released from its rotations and rates, each block on the corner of that side.
Posture initial_posture(const Specimen& specimen);

/// Bodies and slots for that posture, blocks centred on each other, the lowest at midspan of the beam if there is one.
/// A body with a foot stands on the corner of its rotation, where it comes by rolling without slip from rotation 0.
/// A single block with an initial velocity of its own gets that one. Corners that touch have a gap that is not
/// positive.
Assembly assembly_of(const Specimen& specimen, const Posture& posture, Beam* beam = nullptr);

/// The specimen's base, at rest under the weight of what stands on its corners; empty if it is rigid. Throws
/// std::invalid_argument if the block does not fit on it.
std::optional<Beam> beam_of(const Specimen& specimen, const Posture& posture, const SolverOptions& options);

}  // namespace topple::solver::contact
