// What a finished map says in a few words.
#pragma once

#include <string>

#include "hil/study/map_grid.hpp"

namespace topple::hil::study {

/// "0.06 m x 0.27 m", blocks from the bottom; of an asymmetric body its pivots.
std::string specimen_label(const solver::Specimen& specimen);
/// ": alpha = .., p = .., amplitude ratio 1 = ..", with the end of line.
std::string axes_text(const solver::StabilityMap& map);
/// Shares of the outcomes in the solved cells; for stacks also partial to total (P/D), of three the modes.
std::string outcome_shares(const MapGrid& grid);
/// Waves of finished columns whose solution failed.
std::size_t failed_count(const MapGrid& grid) noexcept;

/// Where the experiment's own wave lies, as {frequency ratio, amplitude ratio}.
solver::MapPoint own_wave(const solver::StabilityMap& map, const solver::MapWave& wave);
/// The remark on a map whose solved cells are all alike: that its axes may miss the boundaries, and where the
/// experiment's own wave lies. Empty for any other map and for a single cell.
std::string uniform_remark(const MapGrid& grid, const solver::MapPoint& own);

}  // namespace topple::hil::study
