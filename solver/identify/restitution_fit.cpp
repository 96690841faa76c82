#include "solver/identify/restitution_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "solver/identify/free_response.hpp"

namespace topple::solver {
namespace {

constexpr std::size_t kWindowSamplesMin = 10;
constexpr int kIterationsMax = 60;
constexpr double kDifference_ratio = 1e-6;

/// The parameters of a response; the first `count` of them are adjusted by a fit.
enum Parameter { ratio, release, first_impact, offset, parameter_count };
using Parameters = Eigen::Vector4d;

struct Window {
    double start_s, end_s;
};

class ResponseFitter {
  public:
    ResponseFitter(const RockingShape& shape, const RotationHistory& history, int side)
        : shape_(shape), history_(history), side_(side) {}

    FreeResponse response(const Parameters& at, double end_s) const {
        return FreeResponse(shape_, at[release], at[first_impact], at[ratio], end_s);
    }

    /// Residuals of the samples in the window.
    Eigen::VectorXd residuals(const Parameters& at, Window window) const {
        const FreeResponse motion = response(at, window.end_s);
        const auto [begin, end] = samples(window);
        Eigen::VectorXd r(static_cast<Eigen::Index>(end - begin));
        for (std::size_t i = begin; i < end; ++i)
            r[static_cast<Eigen::Index>(i - begin)] =
                history_.rotation_rad[i] - at[offset] - side_ * motion.rotation_rad(history_.time_s[i]);
        return r;
    }

    /// Derivatives of the residuals by central differences.
    Eigen::MatrixXd slopes(const Parameters& at, Window window) const {
        const auto [begin, end] = samples(window);
        Eigen::MatrixXd j(static_cast<Eigen::Index>(end - begin), parameter_count);
        for (int k = 0; k < parameter_count; ++k) {
            Parameters low = at, high = at;
            const double step = kDifference_ratio * scale(at, k);
            low[k] -= step;
            high[k] = std::min(high[k] + step, ceiling(k));
            j.col(k) = (residuals(high, window) - residuals(low, window)) / (high[k] - low[k]);
        }
        return j;
    }

    /// Levenberg-Marquardt over the parameters `first` to `last`.
    Parameters adjusted(Parameters at, Window window, int first, int last) const {
        const int n = last - first + 1;
        double damping = 1e-3;
        Eigen::VectorXd r = residuals(at, window);
        for (int iteration = 0; iteration < kIterationsMax; ++iteration) {
            const Eigen::MatrixXd j = slopes(at, window).middleCols(first, n);
            Eigen::MatrixXd curvature = j.transpose() * j;
            const Eigen::VectorXd gradient = j.transpose() * r;
            curvature.diagonal() *= 1.0 + damping;
            const Eigen::VectorXd step = -curvature.ldlt().solve(gradient);
            Parameters next = at;
            for (int k = 0; k < n; ++k)
                next[first + k] = std::min(at[first + k] + step[k], ceiling(first + k));
            if (!is_possible(next)) {
                damping *= 10.0;
                if (damping > 1e12) break;
                continue;
            }
            const Eigen::VectorXd r_next = residuals(next, window);
            if (r_next.squaredNorm() > r.squaredNorm()) {
                damping *= 10.0;
                if (damping > 1e12) break;
                continue;
            }
            bool is_settled = true;
            for (int k = first; k <= last; ++k)
                is_settled = is_settled && std::abs(next[k] - at[k]) < 1e-10 * scale(at, k);
            at = next;
            r = r_next;
            damping = std::max(damping / 10.0, 1e-12);
            if (is_settled) break;
        }
        return at;
    }

    std::pair<std::size_t, std::size_t> samples(Window window) const {
        const auto begin = std::lower_bound(history_.time_s.begin(), history_.time_s.end(), window.start_s);
        const auto end = std::upper_bound(begin, history_.time_s.end(), window.end_s);
        return {static_cast<std::size_t>(begin - history_.time_s.begin()),
                static_cast<std::size_t>(end - history_.time_s.begin())};
    }

  private:
    double ceiling(int k) const {
        return k == ratio     ? 1.0
               : k == release ? shape_.slenderness_rad * (1.0 - 1e-9)
                              : std::numeric_limits<double>::max();
    }
    double scale(const Parameters& at, int k) const {
        return k == ratio ? 1.0 : k == first_impact ? 1.0 / shape_.frequency_parameter_rad_s : at[release];
    }
    bool is_possible(const Parameters& at) const {
        return at.allFinite() && at[ratio] >= 0.0 && at[release] > 0.0;
    }

    const RockingShape& shape_;
    const RotationHistory& history_;
    int side_;
};

/// Standard error of the ratio when the parameters first..last were adjusted, and covariance of those.
Eigen::MatrixXd covariance(const ResponseFitter& fitter, const Parameters& at, Window window, int first,
                           int last) {
    const Eigen::MatrixXd j = fitter.slopes(at, window).middleCols(first, last - first + 1);
    const double freedom = std::max(1.0, static_cast<double>(j.rows() - j.cols()));
    const double variance = fitter.residuals(at, window).squaredNorm() / freedom;
    return variance * (j.transpose() * j).inverse();
}

struct Start {
    Parameters at;
    Window first_two;  ///< release to the second impact
};

Start start_of(const RockingShape& shape, const LobeFit& lobes) {
    const bool begins_well = lobes.lobes.size() >= 2 && !lobes.impacts.empty() &&
                             lobes.impacts.front().apex_before_rad == lobes.lobes.front().apex_rad.value;
    if (!begins_well)
        throw std::invalid_argument(
            "rotation history: it does not begin with two whole neighbouring excursions");
    const MeasuredLobe &first = lobes.lobes[0], &second = lobes.lobes[1];
    Start start;
    start.at[ratio] = std::min(1.0, lobes.impacts.front().ratio.value);
    start.at[release] = first.apex_rad.value;
    start.at[first_impact] = lobes.impacts.front().time_s;
    start.at[offset] = lobes.offset_rad.value;
    start.first_two = {start.at[first_impact] - FreeLobe(shape, first.apex_rad.value).half_duration_s(),
                       second.apex_s + second.half_duration_s};
    return start;
}

/// The ratio of a long history has many local minima: longer and longer parts lead to the right one.
Parameters adjusted_to_all(const ResponseFitter& fitter, Parameters at, const LobeFit& lobes, double start_s,
                           double end_s) {
    for (std::size_t count = 2; count < lobes.lobes.size(); count += std::max<std::size_t>(1, count / 3)) {
        const MeasuredLobe& last = lobes.lobes[count - 1];
        at = fitter.adjusted(at, {start_s, last.apex_s + last.half_duration_s}, ratio, first_impact);
    }
    return fitter.adjusted(at, {start_s, end_s}, ratio, offset);
}

/// Error of the ratio alone, with that of release angle and first impact carried over from
/// `start_covariance`.
double ratio_error(const ResponseFitter& fitter, const Parameters& at, Window window,
                   const Eigen::MatrixXd& start_covariance) {
    const Eigen::MatrixXd j = fitter.slopes(at, window);
    const double own = covariance(fitter, at, window, ratio, ratio)(0, 0);
    const Eigen::Vector2d carried =
        -(j.middleCols(release, 2).transpose() * j.col(ratio)) / j.col(ratio).squaredNorm();
    return std::sqrt(own + carried.dot(start_covariance.bottomRightCorner(2, 2) * carried));
}

}  // namespace

RestitutionFit fit_restitution(const RockingShape& shape, const RotationHistory& history,
                               const LobeFit& lobes, FitWindow window) {
    const Start start = start_of(shape, lobes);
    const int side = lobes.lobes.front().side;
    const ResponseFitter fitter(shape, history, side);
    const double end_s = history.time_s.back();
    RestitutionFit fit;
    Window part = start.first_two;
    Parameters at = fitter.adjusted(start.at, part, ratio, first_impact);
    Eigen::MatrixXd spread = covariance(fitter, at, part, ratio, first_impact);
    fit.ratio.standard_error = std::sqrt(spread(0, 0));
    if (window != FitWindow::first_half_period) {
        const Parameters whole = adjusted_to_all(fitter, at, lobes, part.start_s, end_s);
        const double rest_s = std::min(end_s, fitter.response(whole, end_s).rest_s());
        if (window == FitWindow::whole) {
            part = {part.start_s, end_s};
            at = whole;
            fit.ratio.standard_error = std::sqrt(covariance(fitter, at, part, ratio, offset)(0, 0));
        } else {
            const double length_s = rest_s - part.start_s;
            part = {part.start_s + 0.25 * length_s, part.start_s + 0.75 * length_s};
            at[ratio] = whole[ratio];
            at = fitter.adjusted(at, part, ratio, ratio);
            fit.ratio.standard_error = ratio_error(fitter, at, part, spread);
        }
    }
    const auto [begin, end] = fitter.samples(part);
    if (end - begin < kWindowSamplesMin)
        throw std::invalid_argument("rotation history: fewer than 10 samples in the window");
    fit.ratio.value = at[ratio];
    fit.release_rad = at[release];
    fit.first_impact_s = at[first_impact];
    fit.window_start_s = part.start_s;
    fit.window_end_s = part.end_s;
    fit.sample_count = end - begin;
    fit.residual_rad = std::sqrt(fitter.residuals(at, part).squaredNorm() / static_cast<double>(end - begin));
    const FreeResponse motion = fitter.response(at, end_s);
    for (const double time_s : history.time_s)
        fit.fitted_rad.push_back(at[offset] + side * motion.rotation_rad(time_s));
    return fit;
}

}  // namespace topple::solver
