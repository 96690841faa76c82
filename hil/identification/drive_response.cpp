#include "hil/identification/drive_response.hpp"

#include <Eigen/Core>
#include <cmath>
#include <numbers>

#include "hil/identification/least_squares.hpp"

namespace topple::hil::identification {
namespace {

using Complex = std::complex<double>;
using Eigen::VectorXd;
constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr double kTimeUnit_s = 1e-3;
enum Unknown : Eigen::Index { log_gain, delay, log_lag };

DriveModel model_of(const VectorXd& u) {
    return {std::exp(u(log_gain)), kTimeUnit_s * u(delay), kTimeUnit_s * std::exp(u(log_lag))};
}

VectorXd residuals(std::span<const LineResponse> lines, const VectorXd& u) {
    const DriveModel model = model_of(u);
    VectorXd result(2 * static_cast<Eigen::Index>(lines.size()));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Complex expected = model.response(kTwoPi * lines[i].frequency_hz);
        const Complex difference = std::log(lines[i].response / expected) / fit_error_ratio(lines[i]);
        result(2 * static_cast<Eigen::Index>(i)) = difference.real();
        result(2 * static_cast<Eigen::Index>(i) + 1) = difference.imag();
    }
    return result;
}

// Delay and lag are hardly told apart: their sum is what counts, and its error has their covariance.
DriveEstimate estimate_of(const LeastSquares& found) {
    DriveEstimate estimate;
    estimate.model = model_of(found.unknowns);
    const double gain = estimate.model.gain;
    estimate.gain = {gain, gain * std::sqrt(found.covariance(log_gain, log_gain))};
    const double lag = estimate.model.lag_s;
    VectorXd gradient(3);
    gradient << 0.0, kTimeUnit_s, lag;
    estimate.total_s = {estimate.model.total_s(), std::sqrt(gradient.dot(found.covariance * gradient))};
    return estimate;
}

}  // namespace

std::optional<DriveEstimate> fit_drive(std::span<const double> frequency_hz, std::span<const LineSpectra> records,
                                       const firmware_iface::ServoParameters& servo, const TableModel& table) {
    constexpr std::size_t kFewest = 8;
    const ServoResponse response(servo);
    std::vector<Spectrum> commanded(records.size()), made(records.size()), wanted(records.size()),
        moved(records.size());
    std::vector<Complex> closed_loop_setpoint, closed_loop_position;
    for (const double frequency : frequency_hz) {
        const double w = kTwoPi * frequency;
        const Complex setpoint = response.setpoint_n_m(w), position = response.position_n_m(w);
        const Complex stiffness = table.dynamic_stiffness_n_m(w);
        const std::size_t k = closed_loop_setpoint.size();
        closed_loop_setpoint.push_back(setpoint);
        closed_loop_position.push_back(position);
        for (std::size_t i = 0; i < records.size(); ++i) {
            commanded[i].push_back(setpoint * records[i].setpoint_m[k] - position * records[i].position_m[k]);
            made[i].push_back(stiffness * records[i].position_m[k]);
            wanted[i].push_back(records[i].setpoint_m[k]);
            moved[i].push_back(records[i].position_m[k]);
        }
    }
    const auto lines = frequency_response(frequency_hz, commanded, made, wanted);
    if (lines.size() < kFewest) return std::nullopt;
    VectorXd start(3);
    start << 0.0, 0.1, std::log(0.3);
    const LeastSquares found = least_squares([&](const VectorXd& u) { return residuals(lines, u); }, start);
    if (!found.converged) return std::nullopt;
    DriveEstimate estimate = estimate_of(found);
    estimate.line_count = lines.size();
    Spectrum expected;
    for (const LineResponse& line : lines) expected.push_back(estimate.model.response(kTwoPi * line.frequency_hz));
    estimate.residual_ratio = misfit_ratio(lines, expected);

    const auto tracked = frequency_response(frequency_hz, wanted, moved);
    expected.clear();
    for (const LineResponse& line : tracked) {
        std::size_t k = 0;
        while (frequency_hz[k] != line.frequency_hz) ++k;
        const double w = kTwoPi * line.frequency_hz;
        const Complex plant = estimate.model.response(w) / table.dynamic_stiffness_n_m(w);
        expected.push_back(closed_loop_setpoint[k] * plant / (1.0 + closed_loop_position[k] * plant));
    }
    estimate.closed_loop_ratio = tracked.empty() ? 1.0 : misfit_ratio(tracked, expected);
    return estimate;
}

}  // namespace topple::hil::identification
