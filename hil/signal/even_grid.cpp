#include "hil/signal/even_grid.hpp"

#include "hil/signal/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace topple::hil::signal {
namespace {

// Second derivatives of the natural cubic spline at its knots (tridiagonal system, Thomas algorithm).
std::vector<double> spline_curvature(const Samples& s) {
    const std::size_t n = s.time_s.size();
    std::vector<double> curvature(n, 0.0), upper(n, 0.0);
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const double h0 = s.time_s[i] - s.time_s[i - 1];
        const double h1 = s.time_s[i + 1] - s.time_s[i];
        const double right = 6.0 * ((s.value[i + 1] - s.value[i]) / h1 - (s.value[i] - s.value[i - 1]) / h0);
        const double pivot = 2.0 * (h0 + h1) - h0 * upper[i - 1];
        upper[i] = h1 / pivot;
        curvature[i] = (right - h0 * curvature[i - 1]) / pivot;
    }
    for (std::size_t i = n < 2 ? 0 : n - 2; i > 0; --i) curvature[i] -= upper[i] * curvature[i + 1];
    return curvature;
}

template <typename Between>
std::vector<double> resample(const Samples& s, const EvenGrid& grid, Between between) {
    std::vector<double> result(grid.count, 0.0);
    if (s.time_s.empty()) return result;
    std::size_t left = 0;
    for (std::size_t i = 0; i < grid.count; ++i) {
        const double t = grid.time_s(i);
        while (left + 1 < s.time_s.size() && s.time_s[left + 1] <= t) ++left;
        if (t <= s.time_s.front() || left + 1 == s.time_s.size())
            result[i] = s.value[t <= s.time_s.front() ? 0 : left];
        else
            result[i] = between(left, t);
    }
    return result;
}

}  // namespace

std::vector<double> EvenGrid::times_s() const {
    std::vector<double> times(count);
    for (std::size_t i = 0; i < count; ++i) times[i] = time_s(i);
    return times;
}

Samples clean_samples(std::span<const double> time_s, std::span<const double> value, double step_s, SampleGaps& gaps) {
    Samples clean;
    for (std::size_t i = 0; i < std::min(time_s.size(), value.size()); ++i) {
        const bool later = clean.time_s.empty() || time_s[i] > clean.time_s.back();
        if (!std::isfinite(value[i]) || !std::isfinite(time_s[i]) || !later) {
            ++gaps.dropped;
            continue;
        }
        if (!clean.time_s.empty() && time_s[i] - clean.time_s.back() > 1.5 * step_s) {
            ++gaps.gap_count;
            gaps.longest_gap_s = std::max(gaps.longest_gap_s, time_s[i] - clean.time_s.back());
        }
        clean.time_s.push_back(time_s[i]);
        clean.value.push_back(value[i]);
    }
    return clean;
}

std::vector<double> resample_smooth(const Samples& s, const EvenGrid& grid) {
    if (s.time_s.size() < 3) return resample_linear(s, grid);
    const std::vector<double> curvature = spline_curvature(s);
    return resample(s, grid, [&](std::size_t i, double t) {
        const double h = s.time_s[i + 1] - s.time_s[i];
        const double a = (s.time_s[i + 1] - t) / h, b = (t - s.time_s[i]) / h;
        return a * s.value[i] + b * s.value[i + 1] +
               ((a * a * a - a) * curvature[i] + (b * b * b - b) * curvature[i + 1]) * h * h / 6.0;
    });
}

std::vector<double> resample_linear(const Samples& s, const EvenGrid& grid) {
    return resample(s, grid, [&](std::size_t i, double t) {
        const double b = (t - s.time_s[i]) / (s.time_s[i + 1] - s.time_s[i]);
        return s.value[i] + b * (s.value[i + 1] - s.value[i]);
    });
}

double interpolate(const EvenGrid& grid, std::span<const double> value, double time_s) noexcept {
    if (grid.count == 0 || value.empty()) return 0.0;
    const double place = (time_s - grid.start_s) / grid.step_s;
    if (!(place > 0.0)) return value.front();
    const auto left = static_cast<std::size_t>(place);
    if (left + 1 >= value.size()) return value.back();
    return value[left] + (place - static_cast<double>(left)) * (value[left + 1] - value[left]);
}

double typical_step_s(std::span<const double> time_s) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < time_s.size(); ++i)
        if (time_s[i] > time_s[i - 1]) steps.push_back(time_s[i] - time_s[i - 1]);
    if (steps.empty()) return 0.0;
    return median(std::move(steps));
}

}  // namespace topple::hil::signal
