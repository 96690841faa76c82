// Files of an outcome map: cells and boundaries as CSV, the figure with its gnuplot script and data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hil/map/map_boundaries.hpp"

namespace topple::hil {

/// frequency_ratio, amplitude_ratio, outcome, direction, impacts_before_overturning; finished frequencies only.
/// Written in pieces under a temporary name, then renamed. Throws OutputError.
void write_map_csv(const MapGrid& grid, const std::filesystem::path& file);

/// frequency_ratio, amplitude_ratio (middle of the bracket), then outcome, direction and impacts below and above.
std::string boundaries_csv(const std::vector<MapTransition>& boundaries);

/// What a figure says besides the cells.
struct MapCaption {
    std::string title;
    std::string amplitude_axis;  ///< with its normalisation, gnuplot's enhanced text
    struct Overlay {
        std::string label;
        std::vector<MapTransition> boundaries;  ///< drawn as points
    };
    std::vector<Overlay> overlays;  ///< the specimens after the first
};

/// Writes map.gp, map_cells.dat and map_boundaries_<i>.dat into `folder` and draws map.svg and map.png from them.
/// Grids above 600 x 600 are thinned for the figure (the CSV is whole). Throws OutputError.
void draw_map(const MapGrid& grid, const MapCaption& caption, const std::filesystem::path& folder);

}  // namespace topple::hil
