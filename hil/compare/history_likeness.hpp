// How alike two rotation histories of one block are.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hil/signal/even_grid.hpp"
#include "solver/specimen.hpp"

namespace topple::hil::compare {

inline constexpr std::size_t kLikenessImpacts = 10;  ///< listed

/// By which a phase plane is made dimensionless: of a block its own, of a stack those of one block of its width and
/// total height.
struct PhaseScale {
    double alpha_rad = 0.0;  ///< slenderness
    double p_rad_s = 0.0;    ///< frequency parameter
};
PhaseScale phase_scale(const solver::Specimen& specimen, double gravity_m_s2);

struct HistoryLikeness {
    double until_s = 0.0;                            ///< compared from t = 0 to here
    double peak_rad = 0.0, expected_peak_rad = 0.0;  ///< largest |rotation|
    std::optional<double> nrmse;        ///< rms difference per range (largest less smallest) of what was expected
    std::optional<double> phase_plane;  ///< rms distance at the same instant, in multiples of alpha and alpha p
    std::optional<double> orbit;        ///< mean distance to the nearest point of the other curve: without time
    std::vector<double> impact_s, expected_impact_s;  ///< single blocks
    std::vector<double> period_s, expected_period_s;  ///< from an impact to the next but one
};

/// Both on `grid`, through the same filter. Values that are not finite end the comparison. Definitions:
/// docs/camera.md#likeness.
HistoryLikeness likeness(const signal::EvenGrid& grid, std::span<const double> seen_rad,
                         std::span<const double> expected_rad, const PhaseScale& scale, double until_s);
/// Adds impacts and periods of a single block; excursions below `noticeable_rad` are none.
void add_impacts(HistoryLikeness& likeness, const signal::EvenGrid& grid, std::span<const double> seen_rad,
                 std::span<const double> expected_rad, double noticeable_rad);

}  // namespace topple::hil::compare
