// A rocking history cut at its impacts into excursions to one side, and the restitution that follows
// from their peaks.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hil/signal/even_grid.hpp"
#include "solver/outcome.hpp"

namespace topple::hil::compare {

/// One excursion between two zero crossings.
struct RockingLobe {
    double start_s = 0.0, end_s = 0.0;  ///< zero crossings, straight lines between the samples
    double peak_rad = 0.0;              ///< signed; vertex of a parabola through the samples above 70 % of the largest
    bool complete = false;              ///< ended by a crossing to the other side
};

/// Excursions that reach `threshold_rad`, in order; a change of side counts once the other side reaches half
/// of it.
std::vector<RockingLobe> find_lobes(const signal::EvenGrid& grid, std::span<const double> rotation_rad,
                                    double threshold_rad, double start_s);

/// Times of the impacts between lobes: the ends of all complete ones.
std::vector<double> impact_times_s(const std::vector<RockingLobe>& lobes);

/// Angles between the vertical and the line pivot - mass centre for excursions to either side.
struct Slenderness {
    double left_rad = 0.0, right_rad = 0.0;
};

/// Ratio of rotation rates at an impact, from the decay of the peaks in free rocking.
struct ApparentRestitution {
    double ratio = 0.0;           ///< geometric mean over the impacts used
    double standard_error = 0.0;  ///< from the scatter about the fitted decay
    std::size_t lobe_count = 0;
};

/// Weighted least squares of ln e_n = c + 2 n ln(eta) + d (-1)^n with e = cos(alpha - |peak|) - cos(alpha),
/// over the complete lobes that start at or after `free_from_s` and peak above `smallest_rad`. The
/// alternating term takes a tilt of the seat. Empty for fewer than 5 lobes. Derived in
/// docs/report.md#restitution.
std::optional<ApparentRestitution> apparent_restitution(const std::vector<RockingLobe>& lobes, const Slenderness& alpha,
                                                        double free_from_s, double smallest_rad);

}  // namespace topple::hil::compare
