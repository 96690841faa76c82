// One restitution ratio for a whole free-rocking history or a part of it, by generalised least squares.
#pragma once

#include <Eigen/Core>

#include "solver/identify/measured_lobes.hpp"
#include "solver/identify/noise_model.hpp"

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
};

/// All windows of one history. The errors of offset, drift and slope are in every other error.
inline constexpr double kMisfitMax_ratio =
    3.0;  ///< above it one ratio on a still, level base does not describe the record

struct RestitutionFits {
    RestitutionFit whole, middle_half, first_half_period;
    SensorAndSeat seat;           ///< found over the whole record, with its covariance
    NoiseModel noise;             ///< of the samples, from the residuals of the whole record
    double misfit_ratio = 0.0;    ///< residuals of the whole record over those of its excursions, each fitted by itself
    double resolution_rad = 0.0;  ///< step of the sensor's numbers, if larger than half the noise; else 0
    std::vector<double> fitted_rad;  ///< what the sensor would show, at every sample; NaN before the release
};

/// Compares the history with the exact response of a block with one ratio for all impacts on a seat that may slope,
/// seen by a sensor that may be offset and drift. `whole` adjusts all of these; `first_half_period` ratio, release
/// angle and first impact; `middle_half` the ratio alone, with the start that first_half_period found, as the thesis
/// does (its error contains that start's). Residuals are taken as white noise with a slow wander, as found.
/// Throws std::invalid_argument if `lobes` does not begin with two neighbouring excursions or a window has fewer than
/// 10 samples.
RestitutionFits fit_restitution(const RockingShape& shape, const RotationHistory& history, const LobeFit& lobes);

}  // namespace topple::solver
