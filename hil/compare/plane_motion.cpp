#include "hil/compare/plane_motion.hpp"

#include <algorithm>
#include <numbers>

#include "hil/compare/motion_window.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

constexpr double kRightAngle_rad = 0.5 * std::numbers::pi;

/// share_x x + share_y y on the grid of x.
std::vector<double> sum_of(const signal::EvenGrid& grid, const std::vector<double>& x, double share_x,
                           const signal::EvenGrid& grid_y, const std::vector<double>& y, double share_y) {
    if (x.empty() || y.empty()) return {};
    const bool same_grid = grid.start_s == grid_y.start_s && grid.count == grid_y.count;
    std::vector<double> sum(grid.count);
    for (std::size_t i = 0; i < grid.count; ++i)
        sum[i] = share_x * x[i] + share_y * (same_grid ? y[i] : signal::interpolate(grid_y, y, grid.time_s(i)));
    return sum;
}

MotionTrace sum_of(const AchievedMotion& x, double share_x, const AchievedMotion& y, double share_y,
                   MotionTrace AchievedMotion::*of) {
    const MotionTrace &a = x.*of, &b = y.*of;
    const auto sum = [&](const std::vector<double> MotionTrace::*quantity) {
        return sum_of(x.grid, a.*quantity, share_x, y.grid, b.*quantity, share_y);
    };
    return {sum(&MotionTrace::displacement_m), sum(&MotionTrace::velocity_m_s), sum(&MotionTrace::acceleration_m_s2)};
}

}  // namespace

AchievedMotion motion_along(std::span<const AchievedMotion> axes, double angle_rad) {
    const double share_x = experiment::share_along(angle_rad),
                 share_y = experiment::share_along(angle_rad - kRightAngle_rad);
    const AchievedMotion& x = axes.front();
    if (share_x == 1.0 || x.empty()) return x;
    if (axes.size() > 1 && (share_y == 1.0 || axes[1].empty())) return axes[1];
    AchievedMotion rests;  // a table that cannot move along y
    rests.grid = x.grid;
    for (MotionTrace* trace : {&rests.achieved, &rests.commanded})
        for (auto* values : {&trace->displacement_m, &trace->velocity_m_s, &trace->acceleration_m_s2})
            values->assign(x.grid.count, 0.0);
    const AchievedMotion& y = axes.size() > 1 ? axes[1] : rests;
    AchievedMotion along = x;
    along.achieved = sum_of(x, share_x, y, share_y, &AchievedMotion::achieved);
    along.has_command = x.has_command && (axes.size() < 2 || y.has_command);
    along.commanded = along.has_command ? sum_of(x, share_x, y, share_y, &AchievedMotion::commanded) : MotionTrace{};
    along.rest_position_m = share_x * x.rest_position_m + share_y * y.rest_position_m;
    along.command_position_m = share_x * x.command_position_m + share_y * y.command_position_m;
    if (axes.size() > 1) along.bandwidth_hz = std::min(x.bandwidth_hz, y.bandwidth_hz);
    along.rest_noise_m_s2 = signal::largest_magnitude(
        within(along.grid.times_s(), along.achieved.acceleration_m_s2, along.rest_start_s, along.rest_end_s));
    for (const std::string& remark : y.remarks) along.remarks.push_back("axis y: " + remark);
    return along;
}

experiment::PlanePeaks achieved_peaks(std::span<const AchievedMotion> axes, double plane_angle_rad,
                                      double motion_end_s) {
    const auto peak = [&](double angle_rad) {
        const AchievedMotion motion = motion_along(axes, angle_rad);
        return signal::largest_magnitude(
            within(motion.grid.times_s(), motion.achieved.acceleration_m_s2, 0.0, motion_end_s + 0.1));
    };
    return {plane_angle_rad, peak(plane_angle_rad), peak(plane_angle_rad + kRightAngle_rad)};
}

}  // namespace topple::hil::compare
