// Least squares of a free-rocking history against the closed-form response with one restitution ratio.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <utility>

#include "solver/identify/free_response.hpp"
#include "solver/identify/measured_lobes.hpp"
#include "solver/identify/noise_model.hpp"

namespace topple::solver {

/// What a fit may adjust, in this order: eta; apex of the release in rad; time of the first impact in s; the sensor's
/// offset at the start of the record in rad and its drift in rad/s; slope of the seat in rad.
enum ResponseParameter { ratio, release, first_impact, offset, drift, tilt, response_parameter_count };
using ResponseParameters = Eigen::Matrix<double, response_parameter_count, 1>;

struct TimeWindow {
    double start_s = 0.0, end_s = 0.0;
};

class ResponseFitter {
  public:
    /// Keeps references. `side` is that of the release.
    ResponseFitter(const RockingShape& shape, const RotationHistory& history, int side);

    Eigen::Index averaged() const noexcept { return bin_; }  ///< samples per mean
    /// First and last + 1 of the samples in the window.
    std::pair<std::size_t, std::size_t> samples(TimeWindow window) const;
    FreeResponse response(const ResponseParameters& at, double end_s) const;
    /// Rotation that the sensor would show at the samples of the window.
    Eigen::VectorXd expected(const ResponseParameters& at, TimeWindow window) const;
    Eigen::VectorXd residuals(const ResponseParameters& at, TimeWindow window) const;

    /// Noise of the residuals in the window. Above 8,000 samples neighbours are averaged, here and in the fits: the
    /// model is of those means.
    NoiseModel noise(const ResponseParameters& at, TimeWindow window, const NoiseModel& before) const;
    /// Levenberg-Marquardt over the first `count` parameters, residuals made white by `noise` (deviation > 0). Slope
    /// and drift are held near zero by what laboratories have (kTiltPrior_rad, kDriftPrior_ratio).
    ResponseParameters adjusted(ResponseParameters at, TimeWindow window, int count, const NoiseModel& noise) const;
    /// Covariance of the first `count` parameters; and how they follow an error of the others: d(adjusted)/d(held).
    struct Spread {
        Eigen::MatrixXd covariance, by_held;
    };
    Spread spread(const ResponseParameters& at, TimeWindow window, int count, const NoiseModel& noise) const;

  private:
    /// Curvature and gradient of half the cost, with what is known beforehand.
    struct Normal {
        Eigen::Matrix<double, response_parameter_count, response_parameter_count> information;
        ResponseParameters gradient;
    };
    Normal equations(const ResponseParameters& at, TimeWindow window, const NoiseModel& noise) const;
    double cost(const ResponseParameters& at, TimeWindow window, const NoiseModel& noise) const;
    ResidualsAndSlopes linearised(const ResponseParameters& at, TimeWindow window) const;
    ResponseParameters prior(const ResponseParameters& at) const;
    Eigen::MatrixXd means(const Eigen::MatrixXd& rows) const;
    std::vector<double> mean_times(TimeWindow window) const;
    double ceiling(const ResponseParameters& at, int k) const;
    double scale(const ResponseParameters& at, int k) const;
    bool is_possible(const ResponseParameters& at) const;

    const RockingShape& shape_;
    const RotationHistory& history_;
    int side_;
    Eigen::Index bin_;  ///< samples averaged into one
};

}  // namespace topple::solver
