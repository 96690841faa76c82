// The stability graph: where the model says that overturning begins, for several restitutions, with a mark for every
// test.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hil/campaign/protocol.hpp"
#include "hil/campaign/settings.hpp"
#include "hil/campaign/test_record.hpp"

namespace topple::hil::campaign {

/// The part of the plane of the first two keys that a graph shows: the second key to the right, the first upwards.
struct GraphPlane {
    std::string x_key, y_key;
    double x_low = 0.0, x_high = 0.0;  ///< > 0
    double y_low = 0.0, y_high = 0.0;
};
/// Of a campaign that varies exactly two numbers, both taking more than one value, the second one above 0; else empty.
std::optional<GraphPlane> graph_plane(const experiment::Experiment& experiment, const Settings& settings);

struct BoundaryPoint {
    double x = 0.0, y = 0.0;
};

/// Where the outcome changes between standing and overturning, for one restitution.
struct BoundaryCurve {
    std::string name;
    std::vector<std::vector<BoundaryPoint>> lines;  ///< pieces; the set that overturns is not always one region
};

/// Of one specimen: as described, with its restitution two standard deviations of [uncertainty] lower and higher, by
/// Housner, and with every fixed ratio of [campaign] restitutions. Searched along x on a grid (evenly in
/// ln x), each change halved five times, at many values of y; regions narrower than the grid may be missed. What the
/// experiment file refuses, or cannot be solved, bounds no region. On all processors. `stop`: no further row is begun.
std::vector<BoundaryCurve> computed_boundaries(const experiment::Experiment& experiment, const Settings& settings,
                                               const GraphPlane& plane, std::size_t specimen,
                                               const std::atomic<bool>& stop);

/// x,y,curve as CSV for other programs; pieces are separated by an empty line.
std::string boundaries_csv(const std::vector<BoundaryCurve>& curves, const GraphPlane& plane);

/// What a graph shows of one specimen.
struct GraphContent {
    std::string title;
    const std::vector<BoundaryCurve>& curves;
    std::span<const TestRecord> tests;
    std::span<const RowBoundary> boundaries;  ///< their 90 % intervals are bars, where there are any
    std::size_t specimen = 0;
};
/// Throws OutputError.
void draw_stability_graph(const GraphPlane& plane, const GraphContent& content, const std::filesystem::path& figure);

}  // namespace topple::hil::campaign
