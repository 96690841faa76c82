// Where a body on a foot ends when its base keeps its velocity, by energy alone.
#pragma once

#include <cstddef>

#include "solver/engine/law.hpp"
#include "solver/laws/foot_body.hpp"
#include "solver/motion/excitation.hpp"

namespace topple::solver {

struct FootFate {
    EnergyVerdict verdict = EnergyVerdict::undecided;
    std::size_t face = 0;  ///< on which it comes to rest, if stable
};

/// Follows the body from face to face, each impact with its ratio, until its energy is below the barriers on both sides
/// of the face under it, or it falls. No step in time; a bounded number of impacts, `undecided` beyond. Derived in
/// docs/physics/irregular_bodies.md#verdict.
FootFate foot_fate(const FootBody& body, const FootPlace& place, double rate_rad_s, const Drive& still) noexcept;

}  // namespace topple::solver
