// Where a body on a foot ends when its base keeps its velocity, by energy alone.
#pragma once

#include <cstddef>
#include <optional>

#include "solver/engine/law.hpp"
#include "solver/laws/foot_body.hpp"
#include "solver/motion/excitation.hpp"

namespace topple::solver {

/// Follows the body from face to face, each impact with its ratio, until its energy is too low to fall on either side
/// or it has fallen. No step in time; a bounded number of impacts, `undecided` beyond. Derived in
/// docs/physics/irregular_bodies.md#verdict.
EnergyVerdict foot_verdict(const FootBody& body, const FootPlace& place, double rate_rad_s,
                           const Drive& still) noexcept;

/// The same on to the face on which the body comes to rest; empty if it falls, or if it takes too many impacts.
std::optional<std::size_t> foot_resting_face(const FootBody& body, const FootPlace& place, double rate_rad_s,
                                             const Drive& still) noexcept;

}  // namespace topple::solver
