#include "solver/identify/response_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace topple::solver {
namespace {

constexpr int kIterationsMax = 60;
constexpr double kDifference_ratio = 1e-6;
constexpr double kTiltPrior_rad = 0.02;    // seats of laboratories are level to 1 degree (1 sigma)
constexpr double kDriftPrior_ratio = 0.1;  // of the release angle over the record (1 sigma)

constexpr std::size_t kRowsMax = 8000;

}  // namespace

ResponseFitter::ResponseFitter(const RockingShape& shape, const RotationHistory& history, int side)
    : shape_(shape),
      history_(history),
      side_(side),
      bin_(static_cast<Eigen::Index>((history.time_s.size() + kRowsMax - 1) / kRowsMax)) {}

std::pair<std::size_t, std::size_t> ResponseFitter::samples(TimeWindow window) const {
    const auto begin = std::lower_bound(history_.time_s.begin(), history_.time_s.end(), window.start_s);
    const auto end = std::upper_bound(begin, history_.time_s.end(), window.end_s);
    return {static_cast<std::size_t>(begin - history_.time_s.begin()),
            static_cast<std::size_t>(end - history_.time_s.begin())};
}

FreeResponse ResponseFitter::response(const ResponseParameters& at, double end_s) const {
    return FreeResponse(shape_, {side_, at[release], at[first_impact], at[ratio], at[tilt]}, end_s);
}

Eigen::VectorXd ResponseFitter::expected(const ResponseParameters& at, TimeWindow window) const {
    const auto [begin, end] = samples(window);
    const auto time_s = std::span(history_.time_s).subspan(begin, end - begin);
    if (time_s.empty()) return {};
    const std::vector<double> rotation = response(at, time_s.back()).rotations_rad(time_s);
    Eigen::VectorXd seen(static_cast<Eigen::Index>(rotation.size()));
    for (std::size_t i = 0; i < rotation.size(); ++i)
        seen[static_cast<Eigen::Index>(i)] =
            rotation[i] + at[offset] + at[drift] * (time_s[i] - history_.time_s.front());
    return seen;
}

Eigen::VectorXd ResponseFitter::residuals(const ResponseParameters& at, TimeWindow window) const {
    const auto [begin, end] = samples(window);
    return Eigen::Map<const Eigen::VectorXd>(history_.rotation_rad.data() + begin,
                                             static_cast<Eigen::Index>(end - begin)) -
           expected(at, window);
}

Eigen::MatrixXd ResponseFitter::means(const Eigen::MatrixXd& rows) const {
    if (bin_ == 1) return rows;
    const Eigen::Index count = rows.cols() / bin_;  // up to bin_ - 1 samples at the end are left out
    Eigen::MatrixXd mean(rows.rows(), count);
    for (Eigen::Index i = 0; i < count; ++i) mean.col(i) = rows.middleCols(i * bin_, bin_).rowwise().mean();
    return mean;
}

std::vector<double> ResponseFitter::mean_times(TimeWindow window) const {
    const auto [begin, end] = samples(window);
    const Eigen::MatrixXd mean = means(
        Eigen::Map<const Eigen::RowVectorXd>(history_.time_s.data() + begin, static_cast<Eigen::Index>(end - begin)));
    return {mean.data(), mean.data() + mean.size()};
}

ResidualsAndSlopes ResponseFitter::linearised(const ResponseParameters& at, TimeWindow window) const {
    const auto [begin, end] = samples(window);
    ResidualsAndSlopes rows(1 + response_parameter_count, static_cast<Eigen::Index>(end - begin));
    rows.row(0) = residuals(at, window).transpose();
    for (int k = 0; k < response_parameter_count; ++k) {
        ResponseParameters low = at, high = at;
        const double step = kDifference_ratio * scale(at, k);
        low[k] -= step;
        high[k] = std::min(high[k] + step, ceiling(at, k));
        rows.row(1 + k) = (expected(low, window) - expected(high, window)).transpose() / (high[k] - low[k]);
    }
    return means(rows);
}

/// Inverse variances of what is known before the fit.
ResponseParameters ResponseFitter::prior(const ResponseParameters& at) const {
    const double length_s = history_.time_s.back() - history_.time_s.front();
    ResponseParameters weight = ResponseParameters::Zero();
    weight[tilt] = std::pow(kTiltPrior_rad, -2);
    weight[drift] = std::pow(kDriftPrior_ratio * at[release] / length_s, -2);
    return weight;
}

double ResponseFitter::cost(const ResponseParameters& at, TimeWindow window, const NoiseModel& noise) const {
    ResidualsAndSlopes row = means(residuals(at, window).transpose());
    whiten(noise, mean_times(window), row);
    return row.squaredNorm() + prior(at).dot(at.cwiseAbs2());
}

NoiseModel ResponseFitter::noise(const ResponseParameters& at, TimeWindow window, const NoiseModel& before) const {
    const double variance = std::pow(before.deviation_rad(), 2);
    return fit_noise(mean_times(window), linearised(at, window), (variance * prior(at)).asDiagonal());
}

ResponseParameters ResponseFitter::adjusted(ResponseParameters at, TimeWindow window, int count,
                                            const NoiseModel& noise) const {
    double damping = 1e-5, least = cost(at, window, noise);
    Normal normal = equations(at, window, noise);
    for (int iteration = 0; iteration < kIterationsMax && damping < 1e12; ++iteration) {
        Eigen::MatrixXd curvature = normal.information.topLeftCorner(count, count);
        curvature.diagonal() *= 1.0 + damping;
        const Eigen::VectorXd step = -curvature.ldlt().solve(normal.gradient.head(count));
        ResponseParameters next = at;
        for (int k = 0; k < count; ++k) next[k] = at[k] + step[k];
        for (int k = 0; k < count; ++k) next[k] = std::min(next[k], ceiling(next, k));
        const double now = is_possible(next) ? cost(next, window, noise) : std::numeric_limits<double>::infinity();
        if (!(now <= least)) {
            damping *= 10.0;
            continue;
        }
        bool is_settled = true;
        for (int k = 0; k < count; ++k) is_settled = is_settled && std::abs(next[k] - at[k]) < 1e-8 * scale(at, k);
        at = next;
        least = now;
        if (is_settled) break;
        damping = std::max(damping / 10.0, 1e-12);
        normal = equations(at, window, noise);
    }
    return at;
}

ResponseFitter::Normal ResponseFitter::equations(const ResponseParameters& at, TimeWindow window,
                                                 const NoiseModel& noise) const {
    ResidualsAndSlopes rows = linearised(at, window);
    whiten(noise, mean_times(window), rows);
    const auto slopes = rows.bottomRows(response_parameter_count);
    const ResponseParameters weight = prior(at);
    Normal normal;
    normal.information = slopes * slopes.transpose();
    normal.information.diagonal() += weight;
    normal.gradient = slopes * rows.row(0).transpose() + weight.cwiseProduct(at);
    return normal;
}

ResponseFitter::Spread ResponseFitter::spread(const ResponseParameters& at, TimeWindow window, int count,
                                              const NoiseModel& noise) const {
    const Eigen::MatrixXd information = equations(at, window, noise).information;
    const Eigen::MatrixXd covariance =
        information.topLeftCorner(count, count).ldlt().solve(Eigen::MatrixXd::Identity(count, count));
    return {covariance, -covariance * information.topRightCorner(count, response_parameter_count - count)};
}

double ResponseFitter::ceiling(const ResponseParameters& at, int k) const {
    if (k == ratio) return 1.0;
    if (k == release) return (shape_.slenderness_rad - side_ * at[tilt]) * (1.0 - 1e-9);
    return std::numeric_limits<double>::max();
}

double ResponseFitter::scale(const ResponseParameters& at, int k) const {
    if (k == ratio) return 1.0;
    if (k == first_impact) return 1.0 / shape_.frequency_parameter_rad_s;
    if (k == drift) return at[release] / (history_.time_s.back() - history_.time_s.front());
    return at[release];
}

bool ResponseFitter::is_possible(const ResponseParameters& at) const {
    return at.allFinite() && at[ratio] >= 0.0 && at[release] > 0.0 &&
           std::abs(at[tilt]) < 0.9 * shape_.slenderness_rad && at[release] < shape_.slenderness_rad - side_ * at[tilt];
}

}  // namespace topple::solver
