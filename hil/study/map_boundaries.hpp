// The boundaries of an outcome map: every transition along every column, bracketed.
#pragma once

#include <vector>

#include "hil/study/map_grid.hpp"

namespace topple::hil::study {

/// At this frequency the outcome changes between two amplitudes. The set that overturns is not an interval: a column
/// has as many transitions as its cells show, and those that bisection finds on the way.
struct MapTransition {
    double frequency_ratio = 0.0;
    double amplitude_low_ratio = 0.0, amplitude_high_ratio = 0.0;  ///< the bracket
    MapCell below, above;
};

/// Bisects every pair of neighbouring cells of a finished column that differ in outcome, direction or impacts, down
/// to `tolerance` times the amplitude. Sorted by frequency, then amplitude. Transitions that lie closer together than
/// the grid and leave no trace in it are not found.
std::vector<MapTransition> find_boundaries(const ColumnSolver& solve, const MapGrid& grid, double tolerance,
                                           const MapWork& how);
inline std::vector<MapTransition> find_boundaries(const solver::StabilityMap& map, const MapGrid& grid,
                                                  double tolerance, const MapWork& how) {
    return find_boundaries(column_solver(map), grid, tolerance, how);
}

}  // namespace topple::hil::study
