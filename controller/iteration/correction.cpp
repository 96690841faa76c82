#include "controller/iteration/correction.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace topple::controller {
namespace {

double peak(const std::vector<double>& values) noexcept {
    double largest = 0.0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    return largest;
}

solver::BaseState sum(const solver::BaseState& a, const solver::BaseState& b) noexcept {
    return {a.displacement_m + b.displacement_m, a.velocity_m_s + b.velocity_m_s,
            a.acceleration_m_s2 + b.acceleration_m_s2, 0.0};
}

solver::BaseMotion motion_of(const Correction& correction) {
    std::vector<double> time_s(correction.displacement_m.size());
    for (std::size_t i = 0; i < time_s.size(); ++i) time_s[i] = static_cast<double>(i) * correction.step_s;
    return solver::sampled_acceleration(time_s, correction.acceleration_m_s2());
}

/// Where the acceleration of either may break; those that differ by rounding are one.
std::vector<double> borders(const solver::BaseMotion& target, const solver::BaseMotion& change) {
    constexpr double kSame_s = 1e-9;
    std::vector<double> all;
    for (const solver::BaseMotion* motion : {&target, &change}) {
        for (const solver::MotionPiece& piece : motion->pieces()) all.push_back(piece.start_s);
        all.push_back(motion->end_s());
    }
    std::sort(all.begin(), all.end());
    const auto same = [](double a, double b) { return b - a <= kSame_s; };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return all;
}

/// The quintic of displacement through both states, as a device interpolates between setpoints.
solver::MotionPiece quintic(double start_s, double end_s, const solver::BaseState& from, const solver::BaseState& to) {
    const double h = end_s - start_s, a = from.acceleration_m_s2;
    const double x = (to.displacement_m - from.displacement_m - h * (from.velocity_m_s + 0.5 * h * a)) / (h * h);
    const double v = (to.velocity_m_s - from.velocity_m_s - h * a) / h, d = to.acceleration_m_s2 - a;
    solver::MotionPiece piece;
    piece.start_s = start_s;
    piece.end_s = end_s;
    piece.polynomial = {a, (60.0 * x - 24.0 * v + 3.0 * d) / h, (-180.0 * x + 84.0 * v - 12.0 * d) / (h * h),
                        (120.0 * x - 60.0 * v + 10.0 * d) / (h * h * h)};
    return piece;
}

/// Where the piece really ends: its rounding is made good by the next one.
solver::BaseState at_end(const solver::MotionPiece& piece, const solver::BaseState& from) noexcept {
    const double h = piece.end_s - piece.start_s;
    const auto& [p0, p1, p2, p3] = piece.polynomial;
    return {from.displacement_m +
                h * (from.velocity_m_s + h * (p0 / 2.0 + h * (p1 / 6.0 + h * (p2 / 12.0 + h * p3 / 20.0)))),
            from.velocity_m_s + h * (p0 + h * (p1 / 2.0 + h * (p2 / 3.0 + h * p3 / 4.0))), 0.0, 0.0};
}

}  // namespace

double Correction::end_s() const noexcept {
    return empty() ? 0.0 : step_s * static_cast<double>(displacement_m.size() - 1);
}

// Curvature c of the cubic spline that is clamped with slope 0: c[i-1] + 4 c[i] + c[i+1] = 6/h^2 second difference, at
// the ends 2 c[0] + c[1] = 6/h^2 (x[1] - x[0]). Thomas algorithm.
std::vector<double> Correction::acceleration_m_s2() const {
    const std::vector<double>& x = displacement_m;
    const std::size_t n = x.size();
    std::vector<double> curvature(n, 0.0), upper(n, 0.0);
    if (n < 2) return curvature;
    const double scale = 6.0 / (step_s * step_s);
    for (std::size_t i = 0; i < n; ++i) {
        const bool first = i == 0, last = i + 1 == n;
        const double slope_before = first ? 0.0 : x[i] - x[i - 1], slope_behind = last ? 0.0 : x[i + 1] - x[i];
        const double pivot = (first || last ? 2.0 : 4.0) - (first ? 0.0 : upper[i - 1]);
        upper[i] = 1.0 / pivot;
        curvature[i] = (scale * (slope_behind - slope_before) - (first ? 0.0 : curvature[i - 1])) / pivot;
    }
    for (std::size_t i = n - 1; i > 0; --i) curvature[i - 1] -= upper[i - 1] * curvature[i];
    return curvature;
}

double Correction::displacement_peak_m() const noexcept { return peak(displacement_m); }

double Correction::acceleration_peak_m_s2() const { return peak(acceleration_m_s2()); }

Correction zero_correction(double duration_s, double step_s) {
    constexpr double kStepsLeast = 8.0;
    const double end_s = duration_s + kCorrectionTail_s;
    const double steps = std::max(kStepsLeast, std::round(end_s / step_s));
    return {end_s / steps, std::vector<double>(static_cast<std::size_t>(steps) + 1, 0.0)};
}

Correction sum(const Correction& before, const Correction& change, double factor) {
    if (change.empty()) return before;
    Correction both = change;
    for (std::size_t i = 0; i < both.displacement_m.size(); ++i)
        both.displacement_m[i] =
            (before.empty() ? 0.0 : before.displacement_m.at(i)) + factor * change.displacement_m[i];
    return both;
}

solver::BaseMotion corrected(const solver::BaseMotion& target, const Correction& correction) {
    if (correction.empty()) return target;
    const double end_s = target.end_s() + kCorrectionTail_s;
    if (!(std::abs(correction.end_s() - end_s) <= 1e-9 * std::max(1.0, end_s)))
        throw std::invalid_argument("correction: ends at " + std::to_string(correction.end_s()) + " s instead of " +
                                    std::to_string(end_s) + " s");
    if (correction.displacement_m.front() != 0.0 || correction.displacement_m.back() != 0.0)
        throw std::invalid_argument("correction: does not begin and end at 0");
    const solver::BaseMotion change = motion_of(correction);
    const std::vector<double> border_s = borders(target, change);
    std::vector<solver::MotionPiece> pieces;
    solver::BaseState now = sum(target.at(border_s.front()), change.at(border_s.front()));
    const solver::BaseState start = now;
    for (std::size_t i = 0; i + 1 < border_s.size(); ++i) {
        const solver::BaseState to = sum(target.before(border_s[i + 1]), change.before(border_s[i + 1]));
        now.acceleration_m_s2 = sum(target.at(border_s[i]), change.at(border_s[i])).acceleration_m_s2;
        pieces.push_back(quintic(border_s[i], border_s[i + 1], now, to));
        now = at_end(pieces.back(), now);
    }
    return solver::BaseMotion(std::move(pieces), start.displacement_m, start.velocity_m_s);
}

}  // namespace topple::controller
