// One restitution ratio for a whole free-rocking history or a part of it, by least squares.
#pragma once

#include "solver/identify/measured_lobes.hpp"

namespace topple::solver {

/// Which part of the response the simulated history is compared with.
enum class FitWindow {
    whole,              ///< release to the end of the record
    middle_half,        ///< the middle 50 % of the time from release to rest
    first_half_period,  ///< release to the second impact
};

struct RestitutionFit {
    Estimate ratio;            ///< eta
    double release_rad = 0.0;  ///< apex of the first excursion, > 0
    double first_impact_s = 0.0;
    double window_start_s = 0.0, window_end_s = 0.0;
    double residual_rad = 0.0;  ///< root mean square in the window
    std::size_t sample_count = 0;
    std::vector<double>
        fitted_rad;  ///< the simulated history with offset and side at every sample of the record
};

/// Compares the history with the exact response of a block with one ratio for all impacts. `whole` adjusts
/// ratio, release angle, time of the first impact and offset together; `first_half_period` ratio, release
/// angle and first impact; `middle_half` the ratio alone, with the start that first_half_period found, as the
/// thesis does (its error contains that start's). Errors take residuals as white noise of the size found.
/// Throws std::invalid_argument if `lobes` does not begin with two neighbouring excursions or a window has
/// fewer than 10 samples.
RestitutionFit fit_restitution(const RockingShape& shape, const RotationHistory& history,
                               const LobeFit& lobes, FitWindow window);

}  // namespace topple::solver
