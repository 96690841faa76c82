// What a body stands on, seen from above.
#pragma once

#include <vector>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::plan {

/// Convex outline, counter-clockwise, in axes through the mass centre: x along the plane, y across it.
struct Footprint {
    std::vector<std::array<double, 2>> corners_m;
    double height_m = 0.0;   ///< of the mass centre over it
    double contact_m = 0.0;  ///< what stands back from an edge by less belongs to it
};

/// Empty for a stack, and for a body of which nothing is known across the plane.
std::optional<Footprint> footprint_of(const solver::Specimen& specimen, const experiment::SpecimenShape& shape);

/// Where the line from the mass centre in a direction leaves the footprint.
struct WayOut {
    double distance_m = 0.0;
    std::array<double, 2> normal{};  ///< of the edge there, outwards, length 1
    std::array<double, 2> ends_m{};  ///< of the edge, from the foot of the perpendicular on it, counter-clockwise
};
WayOut way_out(const Footprint& footprint, const std::array<double, 2>& direction) noexcept;

/// The edge that is nearest to the mass centre; distance along its normal.
WayOut nearest_edge(const Footprint& footprint) noexcept;

}  // namespace topple::hil::plan
