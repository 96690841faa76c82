#include "controller/profile/profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace topple::controller {
namespace {

using firmware_iface::Setpoint;

constexpr double kRestVelocity_m_s = 1e-9;       // far below one encoder count per second
constexpr double kJump_m_s2 = 1e-9;              // smaller differences at a border are rounding
constexpr std::uint64_t kGridDistanceParts = 4;  // no grid knot nearer to a break than period/4

using Axes = std::span<const Profile>;

/// One instant at which an acceleration jumps, on the whole microsecond. Pieces shorter than the rounding fall
/// together: what counts is the acceleration before the first and after the last border.
struct Break {
    std::uint64_t time_us = 0;
    std::array<double, firmware_iface::kAxesMax> left_m_s2{}, right_m_s2{};
    bool jumps() const noexcept {
        for (std::size_t i = 0; i < left_m_s2.size(); ++i)
            if (std::abs(right_m_s2[i] - left_m_s2[i]) > kJump_m_s2) return true;
        return false;
    }
};

std::uint64_t rounded_us(double time_s) { return static_cast<std::uint64_t>(std::llround(time_s * 1e6)); }

/// Of all axes, in order; with 0 and the end of the longest motion.
std::vector<double> border_times_s(Axes axes) {
    std::vector<double> times_s{0.0};
    for (const Profile& profile : axes) {
        for (const solver::MotionPiece& piece : profile.motion.pieces()) times_s.push_back(piece.start_s);
        times_s.push_back(profile.motion.end_s());
    }
    std::sort(times_s.begin(), times_s.end());
    return times_s;
}

/// All jumps in order, with the motion's time 0 and its end as first and last entry whether they jump or not.
std::vector<Break> breaks(Axes axes) {
    std::vector<Break> found;
    for (const double time_s : border_times_s(axes)) {
        Break next{rounded_us(time_s), {}, {}};
        for (std::size_t i = 0; i < axes.size(); ++i) {
            next.left_m_s2[i] = axes[i].motion.before(time_s).acceleration_m_s2;
            next.right_m_s2[i] = axes[i].motion.at(time_s).acceleration_m_s2;
        }
        if (!found.empty() && found.back().time_us == next.time_us) {
            found.back().right_m_s2 = next.right_m_s2;
        } else {
            found.push_back(next);
        }
    }
    std::vector<Break> kept{found.front()};
    for (std::size_t i = 1; i < found.size(); ++i)
        if (found[i].jumps() || i + 1 == found.size()) kept.push_back(found[i]);
    return kept;
}

firmware_iface::AxisSetpoint state_at(const Profile& profile, double time_s) {
    const bool is_over = time_s > profile.duration_s();
    const solver::BaseState state = profile.at(is_over ? profile.duration_s() : time_s);
    if (is_over) return {state.displacement_m, 0.0, 0.0};
    return {state.displacement_m, state.velocity_m_s, state.acceleration_m_s2};
}

Setpoint knot(Axes axes, std::uint64_t start_time_us, std::uint64_t time_us) {
    Setpoint setpoint;
    setpoint.device_time_us = start_time_us + time_us;
    setpoint.axis_count = axes.size();
    for (std::size_t i = 0; i < axes.size(); ++i)
        setpoint.axes[i] = state_at(axes[i], static_cast<double>(time_us) * 1e-6);
    return setpoint;
}

/// Left and right limit at a break, or one knot where there is no jump.
void append_break(std::vector<Setpoint>& knots, Axes axes, std::uint64_t start_time_us, const Break& at) {
    Setpoint setpoint = knot(axes, start_time_us, at.time_us);
    if (at.jumps()) {
        for (std::size_t i = 0; i < axes.size(); ++i) setpoint.axes[i].acceleration_m_s2 = at.left_m_s2[i];
        knots.push_back(setpoint);
    }
    for (std::size_t i = 0; i < axes.size(); ++i) setpoint.axes[i].acceleration_m_s2 = at.right_m_s2[i];
    knots.push_back(setpoint);
}

/// Knots of the period's grid strictly between two breaks, none so near to a break that the rounding of the break's
/// time would show in the interpolated acceleration.
void append_grid(std::vector<Setpoint>& knots, Axes axes, std::uint64_t start_time_us, std::uint32_t period_us,
                 std::uint64_t from_us, std::uint64_t to_us) {
    const std::uint64_t distance_us = period_us / kGridDistanceParts + 1;
    for (std::uint64_t t = (from_us / period_us + 1) * period_us; t < to_us; t += period_us)
        if (t >= from_us + distance_us && t + distance_us <= to_us) knots.push_back(knot(axes, start_time_us, t));
}

void require_rest(const solver::BaseState& state, const char* where) {
    if (!(std::abs(state.velocity_m_s) <= kRestVelocity_m_s))
        throw std::invalid_argument("profile: the motion does not rest at its " + std::string(where) + " (velocity " +
                                    std::to_string(state.velocity_m_s) + " m/s)");
}

}  // namespace

solver::BaseState Profile::at(double time_s) const noexcept {
    solver::BaseState state = motion.at(time_s);
    state.displacement_m += start_position_m;
    return state;
}

Profile place(const solver::BaseMotion& motion, bool centre) {
    if (motion.start_s() < 0.0) throw std::invalid_argument("profile: the motion starts before t = 0");
    const solver::BaseState start = motion.before(0.0);
    require_rest(start, "start");
    require_rest(motion.at(motion.end_s()), "end");
    if (start.displacement_m != 0.0)
        throw std::invalid_argument("profile: the motion does not start at displacement 0");
    if (!centre) return {motion, 0.0};
    const auto extremes = motion.extremes();
    return {motion, -0.5 * (extremes.displacement_min_m + extremes.displacement_max_m)};
}

Profile positioning(double from_m, double to_m, double velocity_max_m_s, double acceleration_max_m_s2) {
    return {solver::rest_to_rest(to_m - from_m, velocity_max_m_s, acceleration_max_m_s2), from_m};
}

std::vector<Profile> with_y_holding(const Profile& x, const firmware_iface::Feedback& held) {
    std::vector<Profile> axes{x};
    if (held.axis_count > 1) axes.push_back({solver::BaseMotion{}, held.axes[1].setpoint_position_m});
    return axes;
}

double duration_s(std::span<const Profile> axes) noexcept {
    double longest_s = 0.0;
    for (const Profile& profile : axes) longest_s = std::max(longest_s, profile.duration_s());
    return longest_s;
}

std::vector<Setpoint> setpoints(const Profile& profile, std::uint64_t start_time_us, std::uint32_t period_us) {
    return setpoints(std::span(&profile, 1), start_time_us, period_us);
}

std::vector<Setpoint> setpoints(std::span<const Profile> axes, std::uint64_t start_time_us, std::uint32_t period_us) {
    if (period_us == 0) throw std::invalid_argument("profile: the setpoint period must be above 0");
    if (axes.empty() || axes.size() > firmware_iface::kAxesMax)
        throw std::invalid_argument("profile: a table has one axis or two");
    const std::vector<Break> all = breaks(axes);
    std::vector<Setpoint> knots;
    knots.reserve(all.back().time_us / period_us + 2 * all.size() + 1);
    append_break(knots, axes, start_time_us, all.front());
    for (std::size_t i = 1; i < all.size(); ++i) {
        append_grid(knots, axes, start_time_us, period_us, all[i - 1].time_us, all[i].time_us);
        append_break(knots, axes, start_time_us, all[i]);
    }
    // The end time was rounded: the platen shall rest exactly there.
    const std::uint64_t end_time_us = knots.back().device_time_us;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const double end_m = axes[i].at(axes[i].duration_s()).displacement_m;
        for (auto last = knots.rbegin(); last != knots.rend() && last->device_time_us == end_time_us; ++last) {
            last->axes[i].position_m = end_m;
            last->axes[i].velocity_m_s = 0.0;
        }
        knots.back().axes[i].acceleration_m_s2 = 0.0;
    }
    knots.back().final = true;
    return knots;
}

}  // namespace topple::controller
