// Specimens in the lanes' numbers.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "solver/lanes/rocking_lanes.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

/// Of a block or an asymmetric body. `axes_rad_s`: p of the axes, by which the lanes' time is made dimensionless.
LaneBody lane_body(const Specimen& specimen, double axes_rad_s, double gravity_m_s2);

/// The corners about which a foot turns before it has overturned, from left to right, likewise.
std::vector<LaneSide> lane_corners(const Specimen& specimen, double axes_rad_s, double gravity_m_s2);

/// Bodies of any kind with the corners to which they point; they stay where they are as others are added.
class LaneBodies {
  public:
    /// Of a valid specimen that the lanes cover.
    const LaneBody& add(const Specimen& specimen, double axes_rad_s, double gravity_m_s2);

  private:
    std::deque<LaneBody> bodies_;
    std::deque<std::vector<LaneSide>> corners_;
};

}  // namespace topple::solver
