// Excursions of a measured free-rocking history, each fitted by the exact motion of the block between two
// impacts.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/identify/free_lobe.hpp"
#include "solver/identify/impulse_position.hpp"
#include "solver/identify/noise_model.hpp"

namespace topple::solver {

/// Measured rotation of a block on a still, level base. Any rate, gaps allowed.
struct RotationHistory {
    std::vector<double> time_s;        ///< increasing
    std::vector<double> rotation_rad;  ///< positive to either side
};

/// What a record holds besides the motion of the block relative to its seat.
struct SensorAndSeat {
    double offset_rad = 0.0;                               ///< of the sensor, at the first sample
    double drift_rad_s = 0.0;                              ///< of that offset
    double tilt_rad = 0.0;                                 ///< slope of the seat, positive clockwise
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();  ///< of offset, drift, slope
};

struct MeasuredLobe {
    int side = 0;              ///< +1 positive rotation, -1 negative
    bool is_released = false;  ///< the first one: only its way down from the apex is used
    double apex_s = 0.0;       ///< fitted time of the apex
    Estimate apex_rad;         ///< > 0
    double half_duration_s = 0.0;
    double own_error_rad = 0.0;  ///< of the apex, without the offset's
    double by_offset = 0.0;      ///< d(apex)/d(offset)
    std::size_t sample_count = 0;
};

/// Restitution at one impact, from the excursions around it.
struct MeasuredImpact {
    double time_s = 0.0;
    double apex_before_rad = 0.0, apex_after_rad = 0.0;
    Estimate ratio;                                     ///< with all errors
    double own_error = 0.0;                             ///< part of the standard error that no other impact shares
    Eigen::Vector3d by_seat = Eigen::Vector3d::Zero();  ///< d(ratio)/d(offset, drift, slope)
};

struct LobeFit {
    std::vector<MeasuredLobe> lobes;
    std::vector<MeasuredImpact> impacts;  ///< those between neighbouring lobes; a gap in the record may hide some
    Estimate offset_rad;                  ///< of the rotation sensor; removed from the apexes
    double noise_rad = 0.0;               ///< standard deviation of the residuals
};

/// Least squares over apex angle and apex time of every excursion, and one offset for all. An excursion is
/// used while it has at least 5 samples and its apex is above 5 times the noise. Standard errors take the
/// noise as white. Throws std::invalid_argument for sizes that differ, fewer than 20 samples, times that do
/// not increase, numbers that are not finite, a rotation of alpha or more (that block overturns), or fewer
/// than two excursions.
LobeFit fit_lobes(const RockingShape& shape, const RotationHistory& history);
/// The same with offset, drift and slope known; their errors and the noise's wander are carried into the ratios.
LobeFit fit_lobes(const RockingShape& shape, const RotationHistory& history, const SensorAndSeat& seat,
                  const NoiseModel& noise);

}  // namespace topple::solver
