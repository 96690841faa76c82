// Files of an outcome map: cells and boundaries as CSV, the figure with its gnuplot script and data.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hil/study/map_boundaries.hpp"

namespace topple::hil::study {

/// The two axes, outcome, direction, impacts_before_overturning, and for stacks of three the mode; finished
/// columns only. Written in pieces under a temporary name, then renamed. Throws OutputError.
void write_map_csv(const MapGrid& grid, const std::filesystem::path& file);

/// The two axes (middle of the bracket in the second), then outcome, direction and impacts below and above.
std::string boundaries_csv(const std::vector<MapTransition>& boundaries, MapKind kind = MapKind::wave);
std::string boundaries_csv(const std::vector<MapTransition>& boundaries, const MapGrid& grid);

/// What a figure says besides the cells.
struct MapCaption {
    std::string title;           ///< any text
    std::string x_axis, y_axis;  ///< with their normalisation and unit; enhanced text of gnuplot, the program's own
    std::optional<std::array<double, 2>> own_point{};  ///< of the experiment as it stands, in the units of the axes
    struct Overlay {
        std::string label;
        std::vector<MapTransition> boundaries;  ///< drawn as points
    };
    std::vector<Overlay> overlays;  ///< the specimens after the first
    /// Along the first axis the largest value of the second that the table can do; above it the map is shaded. Empty:
    /// not known.
    std::vector<std::array<double, 2>> reach{};
};

/// Writes map.gp, map_cells.dat, map_boundaries_<i>.dat and map_reach.dat into `folder` and draws map.svg and map.png
/// from them. Grids above 600 x 600 are thinned for the figure (the CSV is whole). Throws OutputError.
void draw_map(const MapGrid& grid, const MapCaption& caption, const std::filesystem::path& folder);

}  // namespace topple::hil::study
