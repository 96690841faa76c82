#include "hil/identification/platen_response.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace topple::hil::identification {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

// One column times an unknown, or two: weighted least squares, errors from the residual.
std::optional<std::vector<Estimate>> line_through(const Eigen::MatrixXd& design, const Eigen::VectorXd& values) {
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(design);
    if (qr.rank() < design.cols()) return std::nullopt;
    const Eigen::VectorXd found = qr.solve(values);
    const auto freedom = static_cast<double>(design.rows() - design.cols());
    const double variance = (values - design * found).squaredNorm() / freedom;
    const Eigen::MatrixXd covariance = variance * (design.transpose() * design).inverse();
    std::vector<Estimate> estimates;
    for (Eigen::Index i = 0; i < found.size(); ++i) estimates.push_back({found(i), std::sqrt(covariance(i, i))});
    return estimates;
}

void find_peak(std::span<const LineResponse> lines, PlatenResponse& platen) {
    constexpr double kPeakMin_ratio = 1.4;
    const auto peak = std::max_element(lines.begin(), lines.end(), [](const LineResponse& a, const LineResponse& b) {
        return std::abs(a.response) < std::abs(b.response);
    });
    const double ratio = std::abs(peak->response) / platen.gain.value;
    const bool inside = peak != lines.begin() && std::next(peak) != lines.end();
    if (!inside || ratio < kPeakMin_ratio) return;
    platen.resonance_hz = peak->frequency_hz;
    platen.resonance_ratio = ratio;
}

}  // namespace

std::optional<PlatenResponse> platen_response(std::span<const LineResponse> lines) {
    constexpr Eigen::Index kFewest = 6;
    const auto slow_end = std::find_if(lines.begin(), lines.end(),
                                       [](const LineResponse& line) { return line.frequency_hz > kSlowLines_hz; });
    const auto count = static_cast<Eigen::Index>(slow_end - lines.begin());
    if (count < kFewest) return std::nullopt;
    // log |H| = log gain + b f^2 (screw and filter begin with the square), arg H = -2 pi f delay.
    Eigen::MatrixXd magnitude(count, 2), phase(count, 1);
    Eigen::VectorXd log_gain(count), angle_rad(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const LineResponse& line = lines[static_cast<std::size_t>(i)];
        magnitude.row(i) << 1.0, line.frequency_hz * line.frequency_hz;
        phase(i, 0) = -kTwoPi * line.frequency_hz;
        log_gain(i) = std::log(std::abs(line.response));
        angle_rad(i) = std::arg(line.response);
    }
    const auto gain = line_through(magnitude, log_gain), delay = line_through(phase, angle_rad);
    if (!gain || !delay) return std::nullopt;
    PlatenResponse platen;
    const double value = std::exp(gain->front().value);
    platen.gain = {value, value * gain->front().error};
    platen.delay_s = delay->front();
    find_peak(lines, platen);
    return platen;
}

}  // namespace topple::hil::identification
