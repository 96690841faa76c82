#include "hil/study/map_boundaries.hpp"

#include <algorithm>

namespace topple::hil::study {
namespace {

constexpr std::size_t kTransitionsPerColumnMax = 1000;  // fractal boundaries split again and again

bool is_wide(const MapTransition& t, double tolerance) {
    return t.amplitude_high_ratio - t.amplitude_low_ratio > tolerance * t.amplitude_high_ratio;
}

/// Halves all brackets of a column at once, so that the solver gets many points; a bracket whose middle is like
/// neither end becomes two.
std::vector<MapTransition> narrow(const ColumnSolver& solve, std::vector<MapTransition> brackets, double tolerance) {
    std::vector<double> points;
    std::vector<solver::MapOutcome> outcomes;
    while (std::any_of(brackets.begin(), brackets.end(), [&](const auto& t) { return is_wide(t, tolerance); })) {
        points.clear();
        for (const MapTransition& t : brackets)
            points.push_back(0.5 * (t.amplitude_low_ratio + t.amplitude_high_ratio));
        outcomes.resize(points.size());
        solve(brackets.front().frequency_ratio, points, outcomes);
        std::vector<MapTransition> next;
        for (std::size_t i = 0; i < brackets.size(); ++i) {
            const MapCell middle = cell_of(outcomes[i]);
            MapTransition lower = brackets[i], upper = brackets[i];
            lower.amplitude_high_ratio = upper.amplitude_low_ratio = points[i];
            lower.above = upper.below = middle;
            const bool keep_both = brackets.size() < kTransitionsPerColumnMax;
            if (middle != lower.below && (keep_both || middle == upper.above)) next.push_back(lower);
            if (middle != upper.above) next.push_back(upper);
        }
        brackets = std::move(next);
    }
    return brackets;
}

}  // namespace

std::vector<MapTransition> find_boundaries(const ColumnSolver& solve, const MapGrid& grid, double tolerance,
                                           const MapWork& how) {
    std::vector<std::vector<MapTransition>> columns(grid.frequency.count);
    share_out(grid.frequency.count, how, [&](std::size_t column) {
        if (!grid.is_done[column]) return;
        std::vector<MapTransition> brackets;
        for (std::size_t i = 1; i < grid.amplitude.count; ++i)
            if (grid.cell(column, i) != grid.cell(column, i - 1))
                brackets.push_back({grid.frequency.at(column), grid.amplitude.at(i - 1), grid.amplitude.at(i),
                                    grid.cell(column, i - 1), grid.cell(column, i)});
        columns[column] = narrow(solve, std::move(brackets), tolerance);
    });
    std::vector<MapTransition> all;
    for (const auto& column : columns) all.insert(all.end(), column.begin(), column.end());
    return all;
}

}  // namespace topple::hil::study
